// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two ranks that wait for each other are reported with call, source line and whom each
// waits for; exit 3.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2)
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
