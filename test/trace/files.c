// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI-IO: files of all ranks, written at once, in two parts and beside computation, and one of each rank alone.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static char bytes[256];
  char name[32];
  int rank;
  MPI_File file;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "first.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  MPI_File_set_view(file, 256 * rank, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, bytes, 256, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, 1024, bytes, 16, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "second.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  MPI_File_write_at_all_begin(file, 64 * rank, bytes, 64, MPI_BYTE);
  MPI_File_write_at_all_end(file, bytes, MPI_STATUS_IGNORE);
  MPI_File own;
  snprintf(name, sizeof name, "own-%d.dat", rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &own);
  MPI_File_write(own, bytes, 8, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&own);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
