// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an array of rows from a helper: rows of two matrices stay apart, and so do the tables of rows.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
static double **matrix(int rows, int columns) {
  double **table = malloc(rows * sizeof *table);
  for (int i = 0; i < rows; i++)
    table[i] = malloc(columns * sizeof(double));
  return table;
}
int main(int argc, char **argv) {
  double **a = matrix(argc, argc), **b = matrix(3, 4);
  double *rowA = a[argc - 1]; // @tableA
  double *rowB = b[argc - 1]; // @tableB
  rowA[2] = 1; // @a
  rowB[2] = 2; // @b
  double *same = a[0];
  return same[argc] > 1; // @again
}
// APART: a b
// APART: tableA tableB
// MEET: a again
