// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a command that says what it does copies the file that says how much is sent.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40];
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, read = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    snprintf(name, sizeof name, "count.%d", rank);
    FILE *file = fopen(name, "w");
    fprintf(file, "%d\n", count);
    fclose(file);
    system("for f in count.?; do cp $f of.$f; done");
    snprintf(name, sizeof name, "of.count.%d", rank);
    file = fopen(name, "r");
    if (fscanf(file, "%d", &read) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(file);
    sendAround(read);
  }
  MPI_Finalize();
}
