// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a constant is not written by a store through a pointer that may lead to it, nor by a copy: its pointers stay.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string.h>
static int first, second;
static int *const table[2] = {&first, &first};
static int *const other[2] = {&second, &second};
int main(int argc, char **argv) {
  int *own[2] = {&first, &first};
  const void *chosen = argc > 2 ? (const void *)own : (const void *)table;
  if (argc > 3)
    *(int **)chosen = &second;
  if (argc > 4)
    memcpy((void *)chosen, other, sizeof other);
  *table[argc & 1] = 1; // @table
  *own[argc & 1] = 2;   // @own
  second = 3;           // @second
  return first + second;
}
// APART: table second
// MEET: own second
// MEET: own table
