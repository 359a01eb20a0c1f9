// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether fewer messages are logged rests on a sum; the mask, asked for again, decides a message's size.
#include "../../ring.h"
#include <syslog.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    setlogmask(LOG_UPTO(LOG_DEBUG));
    if (sum > 0)
      setlogmask(LOG_UPTO(LOG_ERR));
    sendAround(1 + setlogmask(0));
  }
  MPI_Finalize();
}
