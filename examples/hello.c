/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Every rank says hello in turn. `counter` is a global: each rank has its own, as in real MPI. */
#include <mpi.h>
#include <stdio.h>

int counter;

int main(int argc, char **argv) {
  int rank, size, token = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0)
    MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  counter++;
  printf("hello from rank %d of %d, counter %d\n", rank, size, counter);
  if (rank < size - 1)
    MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
