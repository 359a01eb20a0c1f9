// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message from rank 0 to a rank 1 that waits for it; both print when they are through.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, bytes = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *buffer = calloc(1, bytes + 1);
  if (rank == 0)
    MPI_Send(buffer, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  else if (rank == 1)
    MPI_Recv(buffer, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d at %.17g\n", rank, MPI_Wtime());
  free(buffer);
  MPI_Finalize();
  return 0;
}
