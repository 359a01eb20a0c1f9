// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the root gathers what loops counted, decides, and scatters sizes.
#include "../../ring.h"

enum { RANKS = 16 };

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0, all[RANKS] = {0}, sizes[RANKS] = {0}, size;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < ranks; ++i)
      sizes[i] = all[i] + all[(i + 1) % ranks];
    MPI_Scatter(sizes, 1, MPI_INT, &size, 1, MPI_INT, 0, MPI_COMM_WORLD);
    sendAround(size);
  }
  MPI_Finalize();
}
