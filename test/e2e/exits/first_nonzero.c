// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the exit code is the first nonzero one by simulated time (rank 2's 3), not by rank (rank
// 1's 7).
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 1) {
    sleep(1000); // takes simulated time only
    return 7;
  }
  if (rank == 2)
    exit(3);
  return 0;
}
