// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: prints how long accesses of 1 MB take on each rank in atomic mode, of the same bytes and
// of bytes of their own, for buffering.py, which knows what locks should give.
#include "check.h"

#define BYTES 1000000

static char buffer[BYTES];
static MPI_File file;

static void measure(const char *what, int writes, MPI_Offset offset) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double date = MPI_Wtime();
  if (writes)
    MPI_File_write_at(file, offset, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  else
    MPI_File_read_at(file, offset, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  const double seconds = MPI_Wtime() - date;
  for (int r = 0; r < size; ++r) {
    if (r == rank) {
      printf("%s %d %.6f\n", what, rank, seconds);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  file = new_file("atomic.dat");
  measure("free", 1, 0);
  MPI_File_set_atomicity(file, 1);
  measure("same", 1, 0);
  measure("overlap", 1, rank * (BYTES - 1));
  measure("apart", 1, rank * BYTES);
  measure("reads", 0, 0);
  measure("mixed", rank % 2, 0);
  MPI_File_close(&file);
  MPI_Finalize();
}
