// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the input chooses between two ends of a loop; where it is the count, the residual decides nothing.
#include "../../ring.h"
#include <math.h>

static double x[20000];

static void readInput(int argc, int rank, double *tolerance) {
  double input[2] = {0, 0};
  if (rank == 0)
    input[1] = argc > 1 ? 1e-9 : -5 * STEPS;
  MPI_Bcast(input, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  *tolerance = input[1];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double tolerance, residual;
  readInput(argc, rank, &tolerance);
  for (int i = 0; i < 20000; ++i)
    x[i] = noise(i, 0, rank);
  int sweep = 0;
  do {
    double sum = 0;
    ++sweep;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < 20000; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    sendAround(7);
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } while ((residual > tolerance && tolerance >= 0) ||
           (sweep < (int)(-tolerance + 0.99) && tolerance < 0));
  MPI_Finalize();
}
