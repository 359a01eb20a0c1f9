// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a message's size is counted by a loop.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.5)
        ++count;
    sendAround(count);
  }
  MPI_Finalize();
}
