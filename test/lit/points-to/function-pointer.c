// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a function called through a pointer writes is its arguments' memory.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int a, b;
static void set(int *where) {
  *where = 1; // @set
}
static void clear(int *where) {
  *where = 0; // @clear
}
void (*table[2])(int *) = {set, clear};
int main(int argc, char **argv) {
  table[argc & 1](&a);
  b = 2; // @b
  return a; // @a
}
// MEET: set a
// MEET: clear a
// APART: set b
