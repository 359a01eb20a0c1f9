// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long a written file is decides about messages.
#include "../../ring.h"
#include <stdio.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "values.%d", rank);
  FILE *out = fopen(name, "w");
  for (int step = 0; step < STEPS; ++step) {
    struct stat status;
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    for (int i = 0; i < count; ++i)
      putc('x', out);
    fflush(out);
    if (stat(name, &status) != 0)
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround((int)(status.st_size % MOST));
  }
  fclose(out);
  MPI_Finalize();
}
