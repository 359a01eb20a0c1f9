// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: memory of two allocation sites stays apart.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int main(void) {
  double *a = malloc(80), *b = malloc(80);
  *a = 1; // @a
  *b = 2; // @b
  return a[0] > 1; // @again
}
// APART: a b
// MEET: a again
