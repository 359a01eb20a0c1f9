/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: a function of the program's own that is named like one of libc's is not warned of.
 * RUN: %plugin_clang -Wall -Werror -fsyntax-only %s 2>&1 | count 0
 */
static int clone(int x) { return x + 1; }
int popen(int x) { return x + 2; }
int main(void) { return clone(1) + popen(2); }
