/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: the warnings never become errors under -Werror, and every usual switch turns them off.
 * RUN: %plugin_clang -Wall -Wextra -Weverything -Werror -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=WARN
 * RUN: not %plugin_clang -Werror=backend-plugin -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=ERROR
 * RUN: %plugin_clang -Wno-backend-plugin -fsyntax-only %s 2>&1 | count 0
 * RUN: %plugin_clang -Wno-everything -fsyntax-only %s 2>&1 | count 0
 * RUN: %plugin_clang -w -fsyntax-only %s 2>&1 | count 0
 * RUN: %plugin_clang -fplugin-arg-gnomon-no-warnings -fsyntax-only %s 2>&1 | count 0
 * RUN: env GNOMON_WARNINGS=0 %plugin_clang -fsyntax-only %s 2>&1 | count 0
 * RUN: %plugin_clang -DPRAGMA -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=PRAGMA
 * RUN: %plugin_clang -isystem %S -DHEADER=1 -fsyntax-only -x c %S/Inputs/includes-as-system.c 2>&1 | count 0
 * WARN: :[[#@LINE+14]]:3: warning: call to 'fork'
 * WARN-NOT: error:
 * ERROR: :[[#@LINE+12]]:3: error: call to 'fork'
 * PRAGMA: :[[#@LINE+11]]:3: warning: call to 'fork'
 * PRAGMA-NOT: warning: call
 */
#include <unistd.h>

int main(void);
#ifndef HEADER
int main(void) {
#else
static int unused(void) {
#endif
  fork();
#ifdef PRAGMA
#pragma clang diagnostic ignored "-Wbackend-plugin"
  fork();
#endif
  return 0;
}
