// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with one mistake, chosen by its argument; what is said of it is checked by run.py.
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
  const char *mistake = argc > 1 ? argv[1] : "";
  int rank, numbers[4] = {0};
  double number;
  MPI_Comm copy;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (!strcmp(mistake, "types")) {
    if (rank == 0)
      MPI_Send(numbers, 2, MPI_INT, 1, 0, copy);
    else
      MPI_Recv(&number, 1, MPI_DOUBLE, 0, 0, copy, MPI_STATUS_IGNORE);
  }
  if (!strcmp(mistake, "buffers")) {
    MPI_Irecv(numbers, 2, MPI_INT, 1 - rank, 1, copy, &requests[0]);
    MPI_Isend(numbers + 1, 2, MPI_INT, 1 - rank, 1, copy, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  if (!strcmp(mistake, "collectives"))
    MPI_Bcast(numbers, 1, MPI_INT, rank, copy);
  if (!strcmp(mistake, "spin"))
    for (;;)
      MPI_Wtime();
  if (strcmp(mistake, "leaks"))
    MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
