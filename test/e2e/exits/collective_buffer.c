// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a buffer that cannot be written inside a collective is told of its rank, with its call: of
// the nonblocking one, while the rank is in another.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, value = 1;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void *buffer = rank == 2 ? (void *)0x10 : &value;
  if (rank == 0)
    usleep(1000); // rank 2 waits already when the data is sent
  if (argc > 1) {
    MPI_Ibcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
