// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two ranks that each hold the lock that the other wants are reported with what they wait
// for and who holds it; exit 3.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data = 0;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_name(win, "halo");
  if (rank < 2) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
  }
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
