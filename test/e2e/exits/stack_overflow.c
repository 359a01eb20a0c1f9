// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a stack overflow ends the run with 139 and names the option that helps.
#include <mpi.h>
#include <stdio.h>

static int depth(int n) {
  volatile char frame[4096];
  frame[n % 4096] = (char)n;
  return n < 0 ? 0 : depth(n + 1) + frame[n % 4096];
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1)
    printf("%d\n", depth(argc));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
