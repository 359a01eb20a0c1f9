// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a burst frees a block and makes it again, and keeps book of that; whoever skips it frees nothing twice.
#include "../../ring.h"
#include <stdlib.h>

static double x[N], *block;
static int owned;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double total = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      x[i] = 0.5 * x[i] + noise(i, step, rank);
      if (owned && x[i] > 0.9) {
        free(block);
        owned = 0;
      } else if (!owned && x[i] < 0.1) {
        block = malloc(N * sizeof *block);
        block[i] = x[i];
        owned = 1;
      }
    }
    MPI_Allreduce(&x[7], &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (owned && step % 4 == 3) {
      free(block);
      owned = 0;
    }
    sendAround(20);
  }
  if (owned)
    free(block);
  MPI_Finalize();
}
