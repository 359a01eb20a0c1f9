// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the callback of qsort gets pointers into the array.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
static int compare(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right; // @compare
}
int main(int argc, char **argv) {
  int *keys = malloc(argc * sizeof *keys), *other = malloc(argc * sizeof *other);
  keys[argc - 1] = 1;  // @keys
  other[argc - 1] = 1; // @other
  qsort(keys, argc, sizeof *keys, compare); // @sort
  return keys[0];
}
// MEET: compare keys
// MEET: sort keys
// APART: compare other
// APART: sort other
