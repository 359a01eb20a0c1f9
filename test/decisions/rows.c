/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A sparse matrix is made row by row, in more rows than a run waits for, and multiplied until a sum is small. Where a row begins rests
 * on what the setup computed: once that has been skipped, the product can only be skipped, though no instance was executed.
 */
#include <mpi.h>
#include <stdlib.h>

enum { Rows = 12000, Most = 8 };
static int start[Rows + 1], column[Rows * Most];
static double value[Rows * Most], x[Rows], y[Rows];

/* As many entries as the row's number says, in an order that is sorted. */
static int make(int row, int at, int rank) {
  int entries = 1 + (row * 7 + rank) % Most;
  for (int i = 0; i < entries; ++i) {
    column[at + i] = (row * 31 + i * 17) % Rows;
    for (int k = i; k > 0 && column[at + k - 1] > column[at + k]; --k) {
      int swap = column[at + k];
      column[at + k] = column[at + k - 1];
      column[at + k - 1] = swap;
    }
    value[at + i] = 1.0 / (2 + i);
  }
  return at + entries;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int row = 0; row < Rows; ++row)
    start[row + 1] = make(row, start[row], rank);
  for (int i = 0; i < Rows; ++i)
    x[i] = 1.0 / (1 + i % 10);
  double sum = 1;
  while (sum > 1e-3) {
    double mine = 0, all;
    for (int row = 0; row < Rows; ++row) {
      double of = 0;
      for (int k = start[row]; k < start[row + 1]; ++k)
        of += value[k] * x[column[k]];
      y[row] = of;
    }
    for (int row = 0; row < Rows; ++row)
      mine += y[row] * y[row];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sum *= all > 0 ? 0.8 : 0.9;
  }
  MPI_Finalize();
  return 0;
}
