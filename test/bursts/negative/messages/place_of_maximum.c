// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: MPI_MAXLOC finds the rank with the greatest value, which becomes the root, as in a search
// for a pivot.
#include "../../ring.h"

static double column[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    struct {
      double value;
      int rank;
    } mine = {0, rank}, best;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      column[i] = 0.5 * column[i] + noise(i, step, rank);
      if (column[i] > mine.value)
        mine.value = column[i];
    }
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Bcast(column, N, MPI_DOUBLE, best.rank, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
