// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what realloc returns holds what the old memory held.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int a, b;
int main(int argc, char **argv) {
  int **list = malloc(sizeof *list);
  list[0] = &a;
  list = realloc(list, 2 * sizeof *list);
  *list[0] = 1; // @store
  a++; // @a
  b = argc; // @b
  return 0;
}
// MEET: store a
// APART: store b
