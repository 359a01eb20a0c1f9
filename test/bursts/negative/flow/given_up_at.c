// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a nest gives up at the first row that is too large; which one that is, is a message's size.
#include "../../ring.h"
#include <math.h>

static double rows[N];

static int firstLarge(int rank, int step) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    double total = 0;
    for (int j = 0; j < 20 + step; ++j)
      for (int k = 1; k <= 5 + step; ++k)
        total += noise(i + j, step, rank) / k;
    rows[i] = total / ((20 + step) * (1 + log(5 + step)));
    if (rows[i] > 0.6)
      return i;
  }
  return N;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step)
    sendAround(firstLarge(rank, step));
  MPI_Finalize();
}
