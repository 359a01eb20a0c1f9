/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Writes a file by MPI-IO. */
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "replayed.dat",
                MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
