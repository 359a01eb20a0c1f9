// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an integer divisor is computed by a loop and used by code that always runs: it must never
// be 0.
#include "../../ring.h"

static int divisors[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      divisors[i] = 1 + (int)(noise(i, step, rank) * 20);
    sendAround(MOST / divisors[step * 3]);
  }
  MPI_Finalize();
}
