// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a receive buffer that cannot be written is told of the rank that receives, with its call,
// whoever runs when the message is copied: rank 1 waits before rank 0 sends.
#include <mpi.h>
#include <string.h>

static const int constant[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  int rank, value = 1;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && strcmp(what, "blocking") == 0)
    MPI_Recv((void *)constant, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1 && strcmp(what, "nonblocking") == 0) {
    MPI_Irecv((void *)constant, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (rank == 0) {
    MPI_Recv(&value, 0, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  if (rank == 2) {
    if (strcmp(what, "nonblocking") == 0)
      MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
