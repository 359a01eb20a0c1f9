// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how numbers are printed is chosen when the program starts; both ways store how much that was ("%n"), a message's
// size.
#include "../../ring.h"
#include <stdio.h>

static double field[N];
static char text[64];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char made[16];
  snprintf(made, sizeof made, "%%.*%c%%n", argc > 1 ? 'g' : 'f');
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    int count = 1;
    snprintf(text, sizeof text, made, (int)(sum + N) % 13, sum, &count);
    sendAround(count);
  }
  MPI_Finalize();
}
