// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop leaves a message's size in the rank's window, from where another rank gets it.
#include "../../ring.h"

static int counts[2];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, theirs;
  MPI_Win win;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Win_create(counts, sizeof counts, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int step = 0; step < STEPS; ++step) {
    counts[1] = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      counts[1] += noise(i, step, rank) < 0.4;
    MPI_Win_fence(0, win);
    MPI_Get(&theirs, 1, MPI_INT, (rank + 1) % ranks, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    sendAround(theirs);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
