// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: which way numbers are rounded rests on a sum; the way, asked for again, decides a message's size.
#include "../../ring.h"
#include <fenv.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    fesetround(FE_TONEAREST);
    if (sum > 0)
      fesetround(FE_UPWARD);
    const int way = fegetround();
    fesetround(FE_TONEAREST);
    sendAround(way == FE_UPWARD ? 3 : 5);
  }
  MPI_Finalize();
}
