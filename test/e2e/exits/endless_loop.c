// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that spins on a variable that nobody writes polls: that is no progress, exit code 4,
// and the rank is named.
#include <mpi.h>

volatile int stop;

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    while (!stop)
      ;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
