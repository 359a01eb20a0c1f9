// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: ranks add what their loops have counted to a number in attached memory of rank 0, by
// another operation than the one that reads it; it decides a loop of messages.
#include "../../ring.h"

static int total;
static MPI_Aint place;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), mine, seen, unused = 0;
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  if (rank == 0) {
    MPI_Win_attach(win, &total, sizeof total);
    MPI_Get_address(&total, &place);
  }
  MPI_Bcast(&place, 1, MPI_AINT, 0, MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  for (int step = 0; step < STEPS; ++step) {
    mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.004;
    MPI_Accumulate(&mine, 1, MPI_INT, 0, place, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(&unused, &seen, MPI_INT, 0, place, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    for (int i = 0; i < seen % 8; ++i)
      sendAround(1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  if (rank == 0)
    MPI_Win_detach(win, &total);
  MPI_Win_free(&win);
  MPI_Finalize();
}
