// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector that is read by way of indices, which are computed first and decide nothing: no burst that reads by way of
// them may be executed where ranks share them.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Rows = 1 << 17, Steps = 20 };

#ifdef THREAD
void startThread(void);
#else
static void startThread(void) {}
#endif

static void makeIndices(int *column, int rank) {
  for (int i = 0; i < Rows; ++i)
    column[i] = (int)(((unsigned)i * 2654435761U + (unsigned)rank) % Rows);
}

static void multiply(double *to, const double *from, const int *column) {
  for (int i = 0; i < Rows; ++i)
    to[i] = 0.5 * from[column[i]] + to[i];
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *column = malloc(Rows * sizeof *column);
  double *from = calloc(Rows, sizeof *from), *to = calloc(Rows, sizeof *to);
  makeIndices(column, rank);
  for (int step = 0; step < Steps; ++step) {
    multiply(to, from, column);
    MPI_Sendrecv(to, 1000, MPI_DOUBLE, (rank + 1) % size, 0, from, 1000, MPI_DOUBLE,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  startThread();
  free(to);
  free(from);
  free(column);
  MPI_Finalize();
  return 0;
}
