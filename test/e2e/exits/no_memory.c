// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: no_memory.py. Rank 0 sends what rank 1 does not receive.
#include <mpi.h>

int main(int argc, char **argv) {
  static char buffer[4096];
  int rank;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (long i = 0; rank == 0 && i < 1000000; i++) {
    MPI_Isend(buffer, sizeof buffer, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
