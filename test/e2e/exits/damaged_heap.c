// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a heap that a rank has damaged shows at the latest when the simulator gives its own memory
// back, before the run is called a success: what has happened is said, the summary is INCOMPLETE.
// Whether somebody stumbles over it before, is a matter of what lies beside the damage.
#include <mpi.h>
#include <stdlib.h>

char *volatile first, *volatile second;

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    first = malloc(24);
    second = malloc(24);
    for (int i = 0; i < 200; i++)
      first[i] = 0x41;
    free(second);
    free(first);
    for (int i = 0; i < 1000; i++)
      second = malloc(i * 13);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
