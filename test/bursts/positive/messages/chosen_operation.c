// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one of several operations that MPI knows is chosen, in the function and by its caller, and looked up in a table.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

static double field[N];
static MPI_Op table[2];

__attribute__((noinline)) static void reduce(double *sum, double *all, int kind, MPI_Op other) {
  MPI_Op operation;
  switch (kind) {
  case 0:
    operation = MPI_SUM;
    break;
  case 1:
    operation = MPI_MAX;
    break;
  case 2:
    operation = other;
    break;
  case 3:
    operation = table[1];
    break;
  default:
    fprintf(stderr, "no such operation: %d\n", kind);
    exit(1);
  }
  MPI_Allreduce(sum, all, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double all = 0;
  table[0] = MPI_MIN;
  table[1] = argc > 1 ? MPI_SUM : MPI_MAX;
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      sum += field[i];
    }
    reduce(&sum, &all, step % 4, argc > 2 ? MPI_PROD : MPI_MIN);
    sendAround(step);
  }
  printf("%g\n", all);
  MPI_Finalize();
}
