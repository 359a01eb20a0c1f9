// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a print, and behind it the program's end, rest on a computed number.
// EXIT: 0
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

static double values[N];
static double total;

static void compute(int step) {
  for (int i = 0; i < N; ++i) {
    values[i] = 0.5 * values[i] + noise(i, step, 0); // alike on all ranks
    total += values[i];
  }
  if (total > 8000) {
    printf("enough: %g\n", total);
    MPI_Finalize();
    exit(0);
  }
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-RUN @ 18
    compute(step);
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
