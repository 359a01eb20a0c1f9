// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a segmentation fault of one rank ends the run with 139 and a message with rank, time and
// source line.
#include <mpi.h>

static void writeTo(volatile int *address) { *address = 1; }

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    writeTo((int *)16);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
