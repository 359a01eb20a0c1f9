// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop that times each of its steps, behind a residual that decides unless the input says otherwise: where it
// does, which this input does not, its pieces would be free without decisions. With decisions it is one burst all the same,
// its clocks included.
#include "../ring.h"
#include <math.h>
#include <stdlib.h>

struct Settings {
  int steps, checks;
  double tolerance;
};
static struct Settings *settings;
static double field[50][200], seconds[2];

__attribute__((noinline)) static double now(void) { return MPI_Wtime(); }

static int isDone(double sum) {
  double residual;
  if (!settings->checks)
    return 0;
  MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return residual < settings->tolerance;
}

static double sweepOver(int rank) {
  double change = 0;
  // EXPECT-GIVEN: an iteration of this loop
  for (int row = 1; row < 50; ++row) {
    double begin = now();
    for (int i = 1; i < 200; ++i)
      for (int j = i; j < 200; ++j)
        field[row][i] = 0.5 * (field[row][j - 1] + field[row - 1][i]) + 1e-3 * noise(i, row, rank);
    seconds[0] += now() - begin;
    begin = now();
    for (int i = 1; i < 200; ++i)
      for (int j = 1; j < 200; ++j)
        change += fabs(field[row][i] - field[row][j]);
    seconds[1] += now() - begin;
  }
  return change;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  settings = calloc(1, sizeof *settings);
  settings->steps = argc + 2 * STEPS;
  settings->checks = argc > 0;
  settings->tolerance = 1e-9;
  for (int step = 0; step < settings->steps; ++step) {
    double sum = sweepOver(rank);
    sendAround(7);
    if (isDone(sum))
      break;
  }
  free(settings);
  sendAround(seconds[0] >= 0 && seconds[1] >= 0 ? 5 : 6);
  MPI_Finalize();
}
