// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: integers and floating-point numbers in one allocation are apart by their types.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int main(int argc, char **argv) {
  void *pool = malloc(800);
  double *numbers = pool;
  int *indices = pool;
  numbers[argc] = 1; // @numbers
  indices[argc] = 2; // @indices
  ((char *)pool)[argc] = 3; // @bytes
  return 0;
}
// APART: numbers indices
// MEET: numbers bytes
// MEET: indices bytes
