// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what the tests of limits run: rank 1 does as the first argument says, the others wait for it.
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && !strcmp(what, "sleep"))
    for (;;)
      sleep(1);
  if (!strcmp(what, "all"))
    for (;;)
      usleep(rank + 1);
  if (rank == 1 && !strcmp(what, "naps")) // each of them a wait of 1 s, and a call of MPI
    for (;;) {
      sleep(1);
      MPI_Barrier(MPI_COMM_SELF);
    }
  if (rank == 1 && !strcmp(what, "ten"))
    sleep(10);
  if (rank == 1 && !strcmp(what, "receive"))
    MPI_Recv(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1 && !strcmp(what, "error"))
    MPI_Send(&rank, 1, MPI_INT, 77, 3, MPI_COMM_WORLD);
  if (rank == 1 && !strcmp(what, "crash"))
    raise(SIGSEGV);
  if (rank == 1 && !strcmp(what, "fault")) {
    sleep(2);
    for (volatile long i = 0; i < 1000000; ++i)
      ;
    *(volatile int *)8 = 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
