// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops that check what they compute, and would end the run, may be skipped like others.
#include "../ring.h"
#include <stdio.h>

static double volume[20000], pressure[200][200];

static void die(const char *what, int place) {
  fprintf(stderr, "%s %d\n", what, place);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static double stateOf(double value, int place) {
  if (value < 0)
    die("negative volume", place);
  return 1 / (1 + value);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP: not frail
    for (int row = 0; row < 200; ++row)
      for (int i = 0; i < 200; ++i) {
        pressure[row][i] = 1 + 0.5 * pressure[row][i] + noise(i, step, rank);
        if (pressure[row][i] < 0)
          MPI_Abort(MPI_COMM_WORLD, 5);
      }
    // EXPECT-SKIP: not frail
    for (int i = 0; i < 20000; ++i)
      volume[i] = stateOf(noise(i, step, rank) + pressure[i / 100][i % 100], i);
    sendAround(7);
  }
  MPI_Finalize();
}
