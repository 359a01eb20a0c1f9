// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: polling with MPI_Test for a message that never comes ends as no progress, with exit code 4,
// and the rank that polls is named.
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, value, flag = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
