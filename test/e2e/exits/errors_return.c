// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: under MPI_ERRORS_RETURN a wrong argument gives its error class, and the program goes on.
#include <mpi.h>
#include <stdio.h>

static int wrong;

static void expectClass(const char *what, int code, int expected) {
  int class = MPI_SUCCESS;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_class(code, &class);
  MPI_Error_string(code, text, &length);
  if (class != expected || length <= 0) {
    printf("%s: class %d, expected %d\n", what, class, expected);
    wrong++;
  }
}

int main(int argc, char **argv) {
  int value = 0, size, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  expectClass("rank", MPI_Send(&value, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  expectClass("count", MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  expectClass("root", MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD), MPI_ERR_ROOT);
  expectClass("tag", MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD), MPI_ERR_TAG);
  expectClass("type", MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  expectClass("comm", MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
  if (rank == 0 && !wrong)
    printf("error classes: PASSED\n");
  MPI_Finalize();
  return wrong != 0;
}
