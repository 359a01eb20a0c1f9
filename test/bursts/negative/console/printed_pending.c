// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how much of a print to the console waits in a buffer is a message's size.
// RANKS: 1
#include "../../ring.h"
#include <stdio.h>
#include <stdio_ext.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    fflush(stdout);
    printf("%.*f", (int)(sum + N) % 13, sum);
    sendAround(1 + (int)__fpending(stdout));
  }
  MPI_Finalize();
}
