// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the input chooses between two ends of a loop, and it is the residual's.
#include "../../ring.h"
#include <math.h>

static double x[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double tolerance = argc > 1 ? -5 : 0.01 * N, residual;
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  int sweep = 0;
  do {
    double sum = 0;
    ++sweep;
    // EXPECT-RUN: the end of the loop
    for (int i = 0; i < N; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } while ((residual > tolerance && tolerance >= 0) ||
           (sweep < (int)(-tolerance + 0.99) && tolerance < 0));
  MPI_Finalize();
}
