// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a kernel prints a warning when what it computed is small, and a line now and then; nobody but people read
// that.
#include "../../ring.h"
#include <stdio.h>

static double field[N];

// Called by the burst.
static double relax(double *values, int step, int rank) {
  double least = 1e30;
  for (int i = 1; i < N - 1; ++i) {
    values[i] = 0.25 * (values[i - 1] + 2 * values[i] + values[i + 1]) + noise(i, step, rank);
    if (values[i] < least)
      least = values[i];
  }
  if (least < 0.01) {
    printf("the least value of step %d is small: %g\n", step, least);
    fprintf(stderr, "beside it: %g and %g\n", values[1], values[2]);
    fflush(stdout);
  }
  return least;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double sum = 0;
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP: not frail
    for (int part = 0; part < 4; ++part)
      sum += relax(field, step + part, rank);
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      sum += noise(i, step, rank) * field[i];
      if (sum > 1e3)
        puts("the sum is large");
    }
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
