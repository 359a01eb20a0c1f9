// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a loop computes is the seed of a generator of the program's own, and its second number a message's size.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-RUN: srand48_r
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    struct drand48_data generator;
    long size;
    srand48_r((long)(1e6 * sum), &generator);
    lrand48_r(&generator, &size);
    lrand48_r(&generator, &size);
    sendAround((int)(size % 100));
  }
  MPI_Finalize();
}
