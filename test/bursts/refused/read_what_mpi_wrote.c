// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what MPI-IO has written is read by C's library.
// REFUSED: rank [0-3] reads .*count\.[0-3], which rank [0-3] has written.*read_what_mpi_wrote\.c:[0-9]+ in main
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
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, outName, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, &count, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    FILE *stream = fopen(inName, "rb");
    if (fread(&read, sizeof read, 1, stream) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(stream);
    sendAround(read);
  }
  MPI_Finalize();
}
