// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: with MPI_ERRORS_ARE_FATAL an error on a file ends the run, and names call, file and
// reason.
#include "check.h"

int main(int argc, char **argv) {
  start(&argc, &argv);
  MPI_File file;
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_File_open(MPI_COMM_WORLD, "nowhere.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  printf("went on\n");
  MPI_Finalize();
}
