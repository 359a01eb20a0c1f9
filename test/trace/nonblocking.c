// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two nonblocking collectives at a time, a message beside them, and waits in the other order.
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Request requests[2];
  int rank, ranks, in = 0, out[2] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Iallreduce(&in, &out[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
  MPI_Sendrecv(&in, 1, MPI_INT, (rank + 1) % ranks, 1, &out[1], 1, MPI_INT,
               (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Send(&in, 1, MPI_INT, rank, 2, MPI_COMM_WORLD);
  MPI_Recv(&out[1], 1, MPI_INT, rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
