// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a loop has made a block, and freed it, decides about a message.
#include "../../ring.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double *found = NULL;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) > 0.999) {
        free(found);
        found = noise(i, step, 0) > 0.5 ? malloc(sizeof *found) : NULL;
      }
    sendAround(found ? 10 : 20);
  }
  free(found);
  MPI_Finalize();
}
