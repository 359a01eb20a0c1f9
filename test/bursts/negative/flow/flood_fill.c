// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a wave spreads over a grid until no rank changes a cell any more.
#include "../../ring.h"

enum { SIDE = 40 };

static int wall[SIDE][SIDE], wet[SIDE][SIDE];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), changed = 1;
  for (int i = 0; i < SIDE * SIDE; ++i)
    wall[i / SIDE][i % SIDE] = noise(i, 3, rank) < 0.25;
  wet[1][1] = 1;
  while (changed) {
    int mine = 0;
    // EXPECT-RUN
    for (int y = SIDE - 2; y > 0; --y)
      for (int x = SIDE - 2; x > 0; --x)
        if (!wet[y][x] && !wall[y][x] &&
            (wet[y - 1][x] || wet[y + 1][x] || wet[y][x - 1] || wet[y][x + 1])) {
          wet[y][x] = 1;
          ++mine;
        }
    MPI_Allreduce(&mine, &changed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
