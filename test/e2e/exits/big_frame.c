// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a frame larger than the whole stack is a stack overflow of its rank, not a write over
// another rank's stack.
#include <mpi.h>
#include <stdio.h>

__attribute__((noinline)) static double sum(int n) {
  volatile double big[3000000];
  big[n] = n;
  return big[n] + big[2 * n];
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2)
    printf("%g\n", sum(argc));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
