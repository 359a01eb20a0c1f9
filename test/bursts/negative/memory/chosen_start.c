// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: where a walk through memory begins is one of two places, and it goes far beyond both; what it counts there is a
// message's size.
#include "../../ring.h"
#include <stdlib.h>

__attribute__((noinline)) static void count(int *cells, int first, int step, int rank) {
  int *start = cells + first;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    start[i % 64] += noise(i, step, rank) < 0.4;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  int *cells = calloc(80, sizeof(int));
  for (int step = 0; step < STEPS; ++step) {
    if (step % 2)
      count(cells, 1, step, rank);
    else
      count(cells, 0, step, rank);
    sendAround(cells[40]);
  }
  MPI_Finalize();
}
