// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a static local variable remembers what bursts did in earlier steps.
#include "../../ring.h"

__attribute__((noinline)) static int generation(int step, int rank) {
  static unsigned state = 1;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    state = state * 1103515245u + (unsigned)(noise(i, step, rank) * 8);
  return (int)(state >> 20);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step)
    sendAround(generation(step, rank));
  MPI_Finalize();
}
