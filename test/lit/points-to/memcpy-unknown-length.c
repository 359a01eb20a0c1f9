// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: memcpy of unknown length between heap objects copies pointers too.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
#include <string.h>
int a, b;
int main(int argc, char **argv) {
  int **from = malloc(argc * sizeof *from), **to = malloc(argc * sizeof *to);
  from[argc - 1] = &a;
  memcpy(to, from, argc * sizeof *to);
  *to[0] = 1; // @store
  a++; // @a
  b = argc; // @b
  return 0;
}
// MEET: store a
// APART: store b
