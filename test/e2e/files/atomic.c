// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: prints how long accesses of 1 MB take on each rank in atomic mode, of the same bytes and
// of bytes of their own, and at the shared pointer, for buffering.py, which knows what locks should
// give.
#include "check.h"

#define BYTES 1000000

static char buffer[BYTES];
static MPI_File file;

enum Kind { Read, Write, WriteShared };

static void measure(const char *what, enum Kind kind, MPI_Offset offset) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double date = MPI_Wtime();
  if (kind == WriteShared)
    MPI_File_write_shared(file, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  else if (kind == Write)
    MPI_File_write_at(file, offset, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  else
    MPI_File_read_at(file, offset, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  const double seconds = MPI_Wtime() - date;
  for (int r = 0; r < size; ++r) {
    if (r == rank) {
      printf("%s %d %.9f\n", what, rank, seconds);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  file = new_file("atomic.dat");
  measure("free", Write, 0);
  measure("shared", WriteShared, 0);
  MPI_File_set_atomicity(file, 1);
  measure("same", Write, 0);
  measure("overlap", Write, rank * (BYTES - 1));
  measure("apart", Write, rank * BYTES);
  measure("reads", Read, 0);
  measure("mixed", rank % 2 ? Write : Read, 0);
  MPI_File_close(&file);
  MPI_Finalize();
}
