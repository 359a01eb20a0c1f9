// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a message longer than its receive buffer is MPI_ERR_TRUNCATE, and nothing is written
// behind the buffer.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, values[4] = {1, 2, 3, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Send(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Recv(values, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
