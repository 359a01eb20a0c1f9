// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a global and a local variable have the same low 28 bits of their addresses on all ranks.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

static int global[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  volatile int local = global[rank % 4]++;
  long mine[2] = {(long)((uintptr_t)global & 0xfffffff), (long)((uintptr_t)&local & 0xfffffff)};
  long least[2], most[2];
  MPI_Allreduce(mine, least, 2, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(mine, most, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    printf("globals %s, stacks %s\n", least[0] == most[0] ? "alike" : "apart",
           least[1] == most[1] ? "alike" : "apart");
  MPI_Finalize();
  return local != 1 + rank % 4;
}
