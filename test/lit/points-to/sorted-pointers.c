// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: sorting an array of pointers moves them between its elements.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int a, b, c;
static int compare(const void *left, const void *right) {
  return **(int *const *)left - **(int *const *)right;
}
int main(int argc, char **argv) {
  int *list[2] = {&a, &b};
  qsort(list, 2, sizeof *list, compare);
  *list[0] = 1; // @first
  b++; // @b
  c = argc; // @c
  return 0;
}
// MEET: first b
// APART: first c
