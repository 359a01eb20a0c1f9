// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops that read window memory until another rank changes it end, and let simulated time
// pass, even where nothing costs anything: with MPI_Win_sync, MPI_Win_flush, MPI_Get,
// MPI_Fetch_and_op.
#include "../topologies/check.h"

static volatile int *flag;
static MPI_Win win;

static void afterAWhile(int value) {
  for (int i = 0; i < 100; ++i) { // rank 1 is busy with messages to itself
    int number;
    MPI_Sendrecv(&i, 1, MPI_INT, 1, 0, &number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_flush(0, win);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&flag, &win);
  MPI_Win_lock_all(0, win);
  for (int way = 1; way <= 5; ++way) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    if (rank == 1)
      afterAWhile(way);
    int seen = 0, zero = 0;
    while (rank == 0 && (way > 2 ? seen : *flag) != way) {
      if (way == 1)
        MPI_Win_sync(win);
      else if (way == 2)
        MPI_Win_flush_all(win);
      else if (way == 3)
        MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
      else if (way == 4)
        MPI_Fetch_and_op(&zero, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
      else {
        MPI_Win_sync(win);
        seen = *flag;
      }
      if (way == 3 || way == 4)
        MPI_Win_flush(0, win);
    }
    if (rank == 0)
      CHECK(MPI_Wtime() > start);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  if (rank == 0)
    printf("polling: PASSED\n");
  MPI_Finalize();
  return 0;
}
