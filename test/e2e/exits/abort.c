// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: MPI_Abort(comm, 42) ends the run with exit code 42, although the other ranks wait.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    MPI_Abort(MPI_COMM_WORLD, 42);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
