// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: programs joined by `:` are one MPI_COMM_WORLD, each with its own arguments, globals and
// MPI_APPNUM.
#include <mpi.h>
#include <stdio.h>

int shared = NUMBER; // the other program has one of the same name, and another value

int main(int argc, char **argv) {
  int rank, size, *app, found, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &found);
  shared += rank;
  MPI_Allreduce(&shared, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int turn = 0; turn < size; ++turn) {
    if (turn == rank)
      printf("%d of %d: app %d, %d of %d, %s %d\n", rank, size, *app, shared, sum, argv[argc - 1],
             argc);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
