// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop with volatile accesses is no burst, and what it counts decides a message.
#include "../../ring.h"

static volatile int counter;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    counter = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.3)
        counter = counter + 1;
    sendAround(counter);
  }
  MPI_Finalize();
}
