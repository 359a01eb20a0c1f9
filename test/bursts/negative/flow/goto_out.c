// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a goto leaves a nest of loops; where it was left decides a message.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int i, j = 0;
    // EXPECT-RUN
    for (i = 0; i < 40; ++i)
      for (j = 0; j < 40; ++j)
        if (noise(i * 40 + j, step, rank) < 0.002)
          goto found;
  found:
    sendAround(i * 40 + j);
  }
  MPI_Finalize();
}
