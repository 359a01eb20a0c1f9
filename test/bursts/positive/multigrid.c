// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the levels of a multigrid are of different sizes but the same bursts.
#include "../ring.h"
#include <stdlib.h>

enum { LEVELS = 7 };

static double *grids[LEVELS], *rests[LEVELS];

static void smooth(double *grid, const double *rest, int size) {
  // EXPECT-SKIP
  for (int i = 1; i < size - 1; ++i)
    grid[i] = 0.25 * grid[i - 1] + 0.5 * grid[i] + 0.25 * grid[i + 1] + 0.1 * rest[i];
}

static void restrictTo(double *coarse, const double *fine, int size) {
  // EXPECT-SKIP
  for (int i = 1; i < size - 1; ++i)
    coarse[i] = 0.25 * fine[2 * i - 1] + 0.5 * fine[2 * i] + 0.25 * fine[2 * i + 1];
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int level = 0; level < LEVELS; ++level) {
    grids[level] = calloc(1 + (1u << (16 - level)), sizeof(double));
    rests[level] = calloc(1 + (1u << (16 - level)), sizeof(double));
  }
  for (int cycle = 0; cycle < 2 * STEPS; ++cycle) {
    for (int level = 0; level < LEVELS; ++level) {
      smooth(grids[level], rests[level], 1 << (16 - level));
      sendAround(1 << (7 - level));
      if (level + 1 < LEVELS)
        restrictTo(rests[level + 1], grids[level], 1 << (15 - level));
    }
    for (int level = LEVELS - 1; level >= 0; --level)
      smooth(grids[level], rests[level], 1 << (16 - level));
  }
  MPI_Finalize();
}
