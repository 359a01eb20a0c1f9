// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: prints how long accesses of 4 MB take on each rank, for options.py, which knows what the
// disks should give.
#include "check.h"

#define BYTES 4000000

static char buffer[BYTES];
static MPI_File file;

static double begin(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  file = new_file("times.dat");
  const MPI_Offset mine = (MPI_Offset)rank * BYTES;
  double date = begin();
  MPI_File_write_at(file, mine, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  report("write", MPI_Wtime() - date);
  date = begin();
  MPI_File_read_at_all(file, mine, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  report("read_all", MPI_Wtime() - date);
  // Ranks that write and ranks that read at once.
  date = begin();
  if (rank % 2)
    MPI_File_read_at(file, mine, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  else
    MPI_File_write_at(file, mine, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  report("mixed", MPI_Wtime() - date);
  // The program goes on while the disk works.
  date = begin();
  MPI_Request request;
  MPI_File_iwrite_at(file, mine, buffer, BYTES, MPI_BYTE, &request);
  report("started", MPI_Wtime() - date);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  // Nothing is read beyond the end.
  date = begin();
  MPI_File_read_at(file, (MPI_Offset)size * BYTES, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  report("nothing", MPI_Wtime() - date);
  date = begin();
  int flag = 0;
  MPI_File_iread_at(file, mine, buffer, BYTES, MPI_BYTE, &request);
  while (!flag)
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  report("polled", MPI_Wtime() - date);
  MPI_File_close(&file);
  MPI_Finalize();
}
