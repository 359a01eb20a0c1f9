// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each rank has its own amount of the same work.
#include "../ring.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), size = 20000 * (rank + 1);
  double *field = calloc((size_t)size, sizeof *field);
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 1; i < size; ++i)
      field[i] = 0.5 * (field[i - 1] + field[i]) + step;
    sendAround(100);
  }
  free(field);
  MPI_Finalize();
}
