// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count that a loop leaves in an array is a message's size after the array has grown, twice.
#include "../../ring.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  int *counts = malloc(8 * sizeof *counts);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < 8; ++i)
      counts[i] = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      counts[(int)(8 * noise(i, step, rank))]++;
    int *more = realloc(counts, (size_t)(16 + step) * sizeof *more);
    more = reallocarray(more, (size_t)(64 + step), sizeof *more);
    sendAround(more[3]);
    counts = more;
  }
  free(counts);
  MPI_Finalize();
}
