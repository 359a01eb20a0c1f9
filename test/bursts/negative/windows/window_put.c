// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is put into memory that MPI_Win_allocate gave another rank, which reads it there.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, mine, *box;
  MPI_Win win;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &box, &win);
  for (int step = 0; step < STEPS; ++step) {
    mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.3;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % ranks, 0, win);
    MPI_Put(&mine, 1, MPI_INT, (rank + 1) % ranks, 2, 1, MPI_INT, win);
    MPI_Win_unlock((rank + 1) % ranks, win);
    MPI_Barrier(MPI_COMM_WORLD);
    sendAround(box[2]);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
}
