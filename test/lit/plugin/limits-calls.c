/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: calls that leave the simulation are warned of. StartsProcess ReplacesProcess
 * RUN: %plugin_clang -fsyntax-only -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not=warning:
 */
#define _GNU_SOURCE
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>


int main(int argc, char **argv) {
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'fork' starts a process outside the simulation: it is no rank and takes no simulated time [-Wbackend-plugin]
  fork();
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'vfork' starts a process
  vfork();
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'system' starts a process
  system("true");
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'popen' starts a process
  popen("true", "r");
  pid_t pid;
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'posix_spawn' starts a process
  posix_spawn(&pid, "true", 0, 0, argv, argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'posix_spawnp' starts a process
  posix_spawnp(&pid, "true", 0, 0, argv, argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execl' replaces the simulating process, with all of its ranks
  execl("true", "true", (char *)0);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execvp' replaces the simulating process
  execvp("true", argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execlp' replaces
  execlp("true", "true", (char *)0);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execle' replaces
  execle("true", "true", (char *)0, argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execv' replaces
  execv("true", argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execve' replaces
  execve("true", argv, argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execvpe' replaces
  execvpe("true", argv, argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'execveat' replaces
  execveat(0, "true", argv, argv, 0);
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'fexecve' replaces
  fexecve(0, argv, argv);
  // CHECK: :[[#@LINE+1]]:3: warning: call to '_Fork' starts a process
  _Fork();
  // CHECK: :[[#@LINE+1]]:3: warning: call to 'clone' starts a process
  clone(0, 0, 0, 0);
  return 0;
}
