/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * fanin BYTES: every rank but 0 sends BYTES to rank 0 at once; rank 0 prints when it has how many
 * of them, at the first, the second and the last; everybody takes part in an MPI_Allreduce then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int calls; /* a global of its own for each rank */

int main(int argc, char **argv) {
  int rank, size, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int bytes = argc > 1 ? atoi(argv[1]) : 0;
  char *buffer = calloc(1, (size_t)bytes + 1);
  if (rank == 0) {
    MPI_Request *requests = malloc((size_t)size * sizeof *requests);
    for (int i = 1; i < size; ++i)
      MPI_Irecv(buffer, bytes, MPI_BYTE, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
    for (int i = 1; i < size; ++i) {
      int which;
      MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
      if (i < 3 || i == size - 1)
        printf("message %d from rank %d at %.9f\n", i, which + 1, MPI_Wtime());
    }
  } else {
    MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  ++calls;
  MPI_Allreduce(&calls, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %d\n", sum);
  MPI_Finalize();
  return 0;
}
