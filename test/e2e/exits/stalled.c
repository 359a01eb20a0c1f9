// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that computes without end and without calling MPI is stopped by --stall-timeout with
// exit code 4, and named with its line; so is the first rank that runs, when all do so.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

volatile unsigned counter;

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!strcmp(argv[1], "all") || rank == atoi(argv[1]))
    for (;;)
      ++counter;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
