// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: which of two formats is printed by is chosen when the program starts; one of them stores how much that was ("%n"),
// a message's size.
#include "../../ring.h"
#include <stdio.h>

static double field[N];
static char text[64];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  const char *format = argc > 5 ? "%.*f and not %p" : "%.*f%n";
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    int count = 1;
    snprintf(text, sizeof text, format, (int)(sum + N) % 13, sum, &count);
    sendAround(count);
  }
  MPI_Finalize();
}
