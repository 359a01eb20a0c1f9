// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: memory that a function gives back through an argument is each caller's own.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
static int make(double **result, int count) {
  *result = malloc(count * sizeof(double));
  return *result != NULL;
}
int main(int argc, char **argv) {
  double *a, *b;
  if (!make(&a, 10) || !make(&b, argc))
    return 1;
  *a = 1; // @a
  *b = 2; // @b
  return a[argc] > 1; // @again
}
// APART: a b
// MEET: a again
