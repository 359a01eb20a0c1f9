// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a local iteration to convergence ends, although the data that it starts from may be
// stale; its trips decide nothing.
#include "../../ring.h"
#include <math.h>

static double target[N], root[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < N; ++i)
      target[i] = 2 + noise(i, step, rank);
    // Never ends where `target` was never written: the sequence from 1 to sqrt(0) halves for ever.
    for (int i = 0; i < N; ++i) {
      double guess = 1;
      while (fabs(guess * guess - target[i]) >= 1e-9 * fabs(target[i]))
        guess = 0.5 * (guess + target[i] / guess);
      root[i] = guess;
    }
    sendAround(64);
  }
  MPI_Finalize();
}
