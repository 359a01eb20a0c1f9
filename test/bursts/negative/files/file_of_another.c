// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each rank writes the size of its message to a shared file by MPI-IO, from where its
// neighbour reads it.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, theirs = 0;
  MPI_File file;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "counts.dat",
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.3;
    MPI_File_write_at_all(file, rank * sizeof(int), &count, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_read_at(file, (rank + 1) % ranks * sizeof(int), &theirs, 1, MPI_INT,
                     MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    sendAround(theirs);
  }
  MPI_File_close(&file);
  MPI_Finalize();
}
