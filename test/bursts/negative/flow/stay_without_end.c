// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the user asks to stay in a loop whose only end is that it has converged: it must end.
// BURSTS: main:14 stay
#include "../../ring.h"
#include <math.h>

static double x[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double residual = 1;
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  while (residual > 1e-3) {
    double sum = 0;
    // EXPECT-RUN: the end of the loop
    for (int i = 0; i < N; ++i) {
      sum += 0.4 * fabs(x[i]);
      x[i] *= 0.6;
    }
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
