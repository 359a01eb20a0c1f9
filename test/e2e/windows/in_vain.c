// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop on window memory that nobody will ever change ends the run, which says so, also
// after operations of every kind.
#include <mpi.h>

int main(int argc, char **argv) {
  volatile int *flag;
  int value = 0, old;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&flag, &win);
  MPI_Win_lock_all(0, win);
  MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Fetch_and_op(&value, &old, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_flush(0, win);
  while (*flag == 0)
    MPI_Win_sync(win);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
