// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: mempcpy returns the end of what it has written: a pointer that is stored there goes into a later field.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#define _GNU_SOURCE
#include <string.h>
struct Two {
  int *first, *second;
};
int a, b;
int main(int argc, char **argv) {
  int *from = &a;
  struct Two to = {0, 0};
  int **end = mempcpy(&to.first, &from, sizeof from);
  *end = &b;
  struct Two *volatile where = &to;
  struct Two *through = where;
  *through->second = 2; // @second
  a++; // @a
  b++; // @b
  return 0;
}
// MEET: second b
