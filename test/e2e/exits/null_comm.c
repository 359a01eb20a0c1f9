// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a null communicator that a rank outside a split calls on is told by its name, not by its value; exit 1.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &half);
  if (rank == 2)
    MPI_Barrier(half);
  MPI_Finalize();
  return 0;
}
