// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how many iterations a local convergence took is a message's size.
#include "../../ring.h"
#include <math.h>

static double target[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int trips = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      target[i] = 2 + 1000 * noise(i, step, rank);
    // EXPECT-RUN
    for (int i = 0; i < 100; ++i) {
      double guess = 1;
      while (fabs(guess * guess - target[i]) >= 1e-9 * target[i]) {
        guess = 0.5 * (guess + target[i] / guess);
        ++trips;
      }
    }
    sendAround(trips);
  }
  MPI_Finalize();
}
