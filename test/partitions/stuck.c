// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that wait for ever in two static functions.
#include <mpi.h>

static int value;
__attribute__((noinline)) static void wait(int from) {
  MPI_Recv(&value, 1, MPI_INT, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
__attribute__((noinline)) static void meet(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  ++value;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2)
    wait(1 - rank);
  meet();
  MPI_Finalize();
  return value;
}
