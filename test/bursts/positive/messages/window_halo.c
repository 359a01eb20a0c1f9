// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is put into windows and computed from there decides nothing: the loops may be
// skipped, though the windows' memory is open to other ranks.
#include "../../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  static double cells[N + 2];
  int rank = startRank(&argc, &argv), ranks;
  double *edge;
  MPI_Win win, other;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Win_create(cells, sizeof cells, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &edge,
                   &other);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 1; i <= N; ++i)
      cells[i] = 0.5 * (cells[i - 1] + cells[i + 1]) + noise(i, step, rank);
    MPI_Win_fence(0, win);
    MPI_Put(&cells[N], 1, MPI_DOUBLE, (rank + 1) % ranks, 0, 1, MPI_DOUBLE, win);
    MPI_Get(&cells[N + 1], 1, MPI_DOUBLE, (rank + 1) % ranks, 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      edge[i] += cells[i + 1] * noise(i, step, rank);
  }
  printf("%g\n", cells[1] + edge[2]);
  MPI_Win_free(&win);
  MPI_Win_free(&other);
  MPI_Finalize();
}
