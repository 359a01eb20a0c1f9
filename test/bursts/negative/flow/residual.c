// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an iteration goes on until a residual, summed over all ranks, is small.
#include "../../ring.h"
#include <math.h>

static double x[N], next[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double residual = 1;
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  for (int sweep = 0; residual > 1e-3; ++sweep) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      next[i] = 0.6 * x[i];
      sum += fabs(next[i] - x[i]);
    }
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      x[i] = next[i];
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (sweep > 1000)
      MPI_Abort(MPI_COMM_WORLD, 9);
  }
  MPI_Finalize();
}
