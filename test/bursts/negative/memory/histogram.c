// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: floating-point numbers become indices into a histogram, which becomes a message's size.
#include "../../ring.h"
#include <math.h>

static double x[N];
static int bins[10];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      x[i] = sqrt(-2 * log(1 - noise(i, step, rank)));
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      ++bins[x[i] < 9 ? (int)x[i] : 9];
    sendAround(bins[step % 3] % MOST);
  }
  MPI_Finalize();
}
