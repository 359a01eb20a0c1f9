// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what C's library has written is read by MPI-IO.
// REFUSED: rank [0-3] reads count\.[0-3], which rank [0-3] has written.*read by MPI_File_read at read_by_mpi\.c:[0-9]+ in main
#include "../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char outName[40], inName[40];
  snprintf(outName, sizeof outName, "count.%d", rank);
  snprintf(inName, sizeof inName, "count.%d", rank);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, read = 0;
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    FILE *stream = fopen(outName, "wb");
    fwrite(&count, sizeof count, 1, stream);
    fclose(stream);
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, inName, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_read(file, &read, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    sendAround(read);
  }
  MPI_Finalize();
}
