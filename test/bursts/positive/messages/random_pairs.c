// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pairs of Gaussian deviates are tallied as in NPB's EP; what is tallied is only summed
// over ranks and printed.
#include "../../ring.h"
#include <math.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  static double x[2 * N], tallies[10], sums[10];
  // EXPECT-SKIP
  for (int block = 0; block < 300; ++block) {
    for (int i = 0; i < 2 * N; ++i)
      x[i] = 2 * noise(i, block, rank) - 1;
    for (int i = 0; i < N; ++i) {
      double t = x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1];
      if (t > 0 && t <= 1) {
        double scale = sqrt(-2 * log(t) / t);
        int larger = (int)fmax(fabs(x[2 * i] * scale), fabs(x[2 * i + 1] * scale));
        tallies[larger < 9 ? larger : 9] += 1;
      }
    }
  }
  MPI_Allreduce(tallies, sums, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%g pairs\n", sums[0]);
  MPI_Finalize();
}
