/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Counts ranks in two variables that all of them share, and in one that each has for itself. */
#include <mpi.h>
#include <stdio.h>

[[gnomon::shared]] int byAttribute;
#pragma gnomon shared(byPragma)
static int byPragma;
int own;

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ++byAttribute;
  ++byPragma;
  ++own;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: attribute %d pragma %d own %d\n", rank, byAttribute, byPragma, own);
  MPI_Finalize();
  return 0;
}
