// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is written to a file and read again under a name that the compiler cannot know to be the same; the user says
// that files are needed.
// BURSTS: files=needed
#include "../../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char outName[40], inName[40];
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, read = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    snprintf(outName, sizeof outName, "count.%d", rank);
    FILE *file = fopen(outName, "w");
    fprintf(file, "%d\n", count);
    fclose(file);
    snprintf(inName, sizeof inName, "count.%d", rank);
    file = fopen(inName, "r");
    if (fscanf(file, "%d", &read) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(file);
    sendAround(read);
  }
  MPI_Finalize();
}
