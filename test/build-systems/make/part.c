/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <mpi.h>

static int calls; /* one per rank, in a static library */

int sumOfRanks(void) {
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum * ++calls;
}
