// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop with an assertion in it, whose end is read from memory behind each iteration, goes on where an iteration
// is skipped.
#include "../ring.h"
#include <assert.h>
#include <stdlib.h>

struct Grid {
  int boxes, *occupied;
  double *force;
};

__attribute__((noinline)) static int neighbours(const struct Grid *grid, int box, int *found) {
  for (int i = 0; i < 9; ++i)
    found[i] = (box + i * i) % grid->boxes;
  return 9;
}

__attribute__((noinline)) static void interact(struct Grid *grid, int step, int rank) {
  int found[9];
  // EXPECT-SKIP
  for (int box = 0; box < grid->boxes; ++box) {
    int mine = grid->occupied[box];
    if (mine == 0)
      continue;
    int count = neighbours(grid, box, found);
    for (int i = 0; i < count; ++i) {
      int other = found[i];
      assert(other >= 0);
      for (int j = 0; j < mine; ++j)
        for (int k = 0; k < grid->occupied[other]; ++k)
          grid->force[box] += noise(j * 8 + k, step, rank) / (1 + grid->force[other]);
    }
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Grid *grid = malloc(sizeof *grid);
  grid->boxes = argc > 1 ? atoi(argv[1]) : 60;
  grid->occupied = malloc(sizeof(int) * grid->boxes);
  grid->force = calloc(grid->boxes, sizeof(double));
  for (int box = 0; box < grid->boxes; ++box)
    grid->occupied[box] = box % 5;
  for (int step = 0; step < STEPS; ++step) {
    interact(grid, step, rank);
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
