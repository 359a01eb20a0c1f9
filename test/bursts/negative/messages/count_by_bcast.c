// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop on the root computes the count that it broadcasts.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    if (rank == 1)
      // EXPECT-RUN
      for (int i = 0; i < N; ++i)
        count += noise(i, step, rank) < 0.4;
    MPI_Bcast(&count, 1, MPI_INT, 1, MPI_COMM_WORLD);
    sendAround(count);
  }
  MPI_Finalize();
}
