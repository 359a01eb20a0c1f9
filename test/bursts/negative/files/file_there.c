// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a sum says whether a file is made; whether it can be opened is a message's size.
#include "../../ring.h"
#include <stdio.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "mark.%d", rank);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    if (sum > 0)
      fclose(fopen(name, "w"));
    FILE *found = fopen(name, "r");
    sendAround(found ? 3 : 5);
    if (found)
      fclose(found);
    remove(name);
  }
  MPI_Finalize();
}
