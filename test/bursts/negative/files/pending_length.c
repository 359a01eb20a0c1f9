// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how much of what was written waits in a stream's buffer is a message's size.
#include "../../ring.h"
#include <stdio.h>
#include <stdio_ext.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  FILE *out = fopen("/dev/null", "w");
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    fflush(out);
    fprintf(out, "%.*f", (int)(sum + N) % 13, sum);
    sendAround(1 + (int)__fpending(out));
  }
  MPI_Finalize();
}
