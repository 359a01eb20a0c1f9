// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a destination that does not exist is an MPI error with class, call and rank; exit 1.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 2)
    MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
