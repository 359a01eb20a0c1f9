// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a Jacobi stencil with fixed steps: its sweeps decide nothing.
#include "../ring.h"

enum { SIDE = 200 };

static double grid[SIDE + 2][SIDE + 2], next[SIDE + 2][SIDE + 2];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  for (int step = 0; step < 10 * STEPS; ++step) {
    MPI_Sendrecv(grid[1], SIDE + 2, MPI_DOUBLE, up, 1, grid[SIDE + 1], SIDE + 2, MPI_DOUBLE, down,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(grid[SIDE], SIDE + 2, MPI_DOUBLE, down, 2, grid[0], SIDE + 2, MPI_DOUBLE, up, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    // EXPECT-SKIP
    for (int i = 1; i <= SIDE; ++i)
      for (int j = 1; j <= SIDE; ++j)
        next[i][j] =
            0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]) + 0.01;
    // EXPECT-SKIP
    for (int i = 1; i <= SIDE; ++i)
      for (int j = 1; j <= SIDE; ++j)
        grid[i][j] = next[i][j];
  }
  MPI_Finalize();
}
