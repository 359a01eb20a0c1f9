// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a fault inside the program's own handler of faults ends the run with a message that names
// the rank and the line in the handler. One that leaves by siglongjmp may come again.
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf place;
static int faults;

static void handler(int number) {
  if (++faults <= 3)
    siglongjmp(place, faults);
  *(volatile int *)16 = number;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  signal(SIGSEGV, handler);
  if (rank == 1) {
    if (sigsetjmp(place, 1) == 3) {
      printf("three faults\n");
      fflush(stdout);
    }
    *(volatile int *)8 = 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
