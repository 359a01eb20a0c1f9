// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what MPI-IO writes, C's library reads, and the other way round; both decide about
// messages.
#include "../../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "both.%d", rank);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, more = 0, read = 0;
    MPI_File file;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, &count, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    FILE *stream = fopen(name, "rb");
    if (fread(&read, sizeof read, 1, stream) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(stream);
    sendAround(read);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      more += noise(i, step, rank + 100) < 0.1;
    stream = fopen(name, "wb");
    fwrite(&more, sizeof more, 1, stream);
    fclose(stream);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_read(file, &read, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    sendAround(read);
  }
  MPI_Finalize();
}
