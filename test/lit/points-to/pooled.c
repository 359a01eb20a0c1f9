// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of a program that is too large, nothing is told apart that pointers lead to; what none leads to still is.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: env GNOMON_POINTS_TO_BUDGET=0 opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int main(int argc, char **argv) {
  int *left = malloc(sizeof *left), *right = malloc(sizeof *right);
  double *third = malloc(sizeof *third);
  *left = argc; // @left
  *right = argc + 1; // @right
  *third = 2; // @third
  return *left + *right; // @sum
}
// MEET: left right
// MEET: left third
// MEET: sum left
