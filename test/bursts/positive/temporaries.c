// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a burst allocates, uses and frees arrays of its own.
#include "../ring.h"
#include <stdlib.h>

static double field[20000];

__attribute__((noinline)) static void smooth(void) {
  double *copy = malloc(sizeof field);
  // EXPECT-SKIP
  for (int i = 0; i < 20000; ++i)
    copy[i] = field[i] + 1;
  // EXPECT-SKIP
  for (int i = 1; i < 19999; ++i)
    field[i] = 0.25 * copy[i - 1] + 0.5 * copy[i] + 0.25 * copy[i + 1];
  free(copy);
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < 5 * STEPS; ++step) {
    smooth();
    sendAround(20);
  }
  MPI_Finalize();
}
