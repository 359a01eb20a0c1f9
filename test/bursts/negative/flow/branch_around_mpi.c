// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a floating-point sum decides whether a message is sent.
#include "../../ring.h"

static double data[N];

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      data[i] = noise(i, step, 0) - 0.5;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += data[i];
    if (sum > 0)
      sendAround(100);
  }
  MPI_Finalize();
}
