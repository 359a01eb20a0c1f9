// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a send buffer that cannot be read when the receive comes, at an address that no processor
// has, is told of the rank that sends.
#include <mpi.h>

int main(int argc, char **argv) {
  static char buffer[1 << 20];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Send((void *)0x8000000000000000, 1 << 20, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank == 1)
    MPI_Recv(buffer, 1 << 20, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
