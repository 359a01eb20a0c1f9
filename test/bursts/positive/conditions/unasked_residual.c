// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a loop looks at its residual is said by one flag, how often it prints by another: as long as the first is
// not set, nothing of what the loop computes decides.
#include "../../ring.h"
#include <math.h>
#include <stdlib.h>

struct Settings {
  int steps, checks;
  double tolerance;
};
static struct Settings *settings;
static double x[20000];

static int isDone(double sum) {
  double residual;
  if (!settings->checks)
    return 0;
  MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return residual < settings->tolerance;
}

static double sweepOver(void) {
  double sum = 0;
  // EXPECT-SKIP: not frail
  for (int i = 0; i < 20000; ++i) {
    double next = 0.9 * x[i] + 0.1;
    sum += fabs(next - x[i]);
    x[i] = next;
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  settings = calloc(1, sizeof *settings);
  settings->steps = argc + 4 * STEPS;
  settings->checks = argc > 1;
  settings->tolerance = 1e-9;
  for (int i = 0; i < 20000; ++i)
    x[i] = noise(i, 0, rank);
  for (int step = 0; step < settings->steps; ++step) {
    double sum = sweepOver();
    sendAround(7);
    if (isDone(sum))
      break;
  }
  free(settings);
  MPI_Finalize();
}
