// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the ways to start a thread are remarked on, when remarks are asked for; a thread object that starts none, and
// moving one, are not. StartsThread
// RUN: %plugin_clangxx -std=c++20 -fsyntax-only -fno-caret-diagnostics -fplugin-arg-gnomon-remarks %s 2>&1 | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// RUN: %plugin_clangxx -std=c++20 -fsyntax-only -fno-caret-diagnostics %s 2>&1 | count 0
#include <future>
#include <pthread.h>
#include <threads.h>
#include <thread>
#include <vector>

namespace mine {
int fork() { return 0; }
} // namespace mine

void *work(void *argument) { return argument; }
int workToo(void *) { return 0; }

int main() {
  std::thread empty;
  // CHECK: :[[#@LINE+1]]:15: remark: 'std::thread' starts a thread of the rank: its threads take turns, so a loop that waits for another one must call something that lets it run, such as sched_yield
  std::thread thread([] {});
  std::thread moved(std::move(thread));
  // CHECK: :[[#@LINE+1]]:16: remark: 'std::jthread' starts a thread
  std::jthread joining([] {});
  // CHECK: :[[#@LINE+1]]:17: remark: 'std::async' starts a thread
  auto future = std::async([] { return 1; });
  moved.join();
  pthread_t posix;
  // CHECK: :[[#@LINE+1]]:3: remark: 'pthread_create' starts a thread of the rank
  pthread_create(&posix, nullptr, work, nullptr);
  thrd_t c11;
  // CHECK: :[[#@LINE+1]]:3: remark: 'thrd_create' starts a thread
  thrd_create(&c11, workToo, nullptr);
  return mine::fork();
}
