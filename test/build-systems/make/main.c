/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <mpi.h>
#include <stdio.h>

int sumOfRanks(void);

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sum = sumOfRanks();
  if (rank == size - 1)
    printf("c: %d ranks, sum %d\n", size, sum);
  MPI_Finalize();
  return 0;
}
