// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop of one rank counts in memory that it shares with the ranks of its host; another of
// them reads the count through the pointer that it has asked for, and sends as much.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), me, members, unit, *mine, *theirs;
  MPI_Comm node;
  MPI_Win win;
  MPI_Aint bytes;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &me);
  MPI_Comm_size(node, &members);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &win);
  MPI_Win_shared_query(win, (me + 1) % members, &bytes, &unit, &theirs);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  for (int step = 0; step < STEPS; ++step) {
    *mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      *mine += noise(i, step, rank) < 0.4;
    MPI_Win_sync(win);
    MPI_Barrier(node);
    MPI_Win_sync(win);
    sendAround(*theirs);
    MPI_Barrier(node);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Comm_free(&node);
  MPI_Finalize();
}
