// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a shell's command copies a file that nobody reads; what MPI-IO writes behind it, MPI-IO may read.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), size = 64;
  char name[40], state[40], command[80];
  snprintf(name, sizeof name, "field.%d", rank);
  snprintf(state, sizeof state, "state.%d", rank);
  snprintf(command, sizeof command, "mkdir -p old && cp field.%d old", rank);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      field[i] += noise(i, step, rank);
    FILE *file = fopen(name, "w");
    fwrite(field, sizeof *field, N, file);
    fclose(file);
    system(command);
    MPI_File checkpoint;
    MPI_File_open(MPI_COMM_SELF, state, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                  &checkpoint);
    MPI_File_write_at(checkpoint, 0, &size, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(checkpoint, 0, &size, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&checkpoint);
    sendAround(size);
  }
  MPI_Finalize();
}
