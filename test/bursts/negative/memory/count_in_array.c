// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a message's size is one element of an array that a loop fills; another element is used
// than was written last.
#include "../../ring.h"

static int counts[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      counts[i] = (int)(noise(i, step, rank) * MOST);
    sendAround(counts[step * 7 + rank]);
  }
  MPI_Finalize();
}
