// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how many characters of a sum have been printed, stored by the format, is a message's size.
#include "../../ring.h"
#include <stdio.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    int count;
    char text[60];
    snprintf(text, sizeof text, "%.*f%n", (int)(sum + N) % 13, sum, &count);
    sendAround(count);
  }
  MPI_Finalize();
}
