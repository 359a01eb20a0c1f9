// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how far prints to the console have come, asked for of a stream of large files, is a message's size.
// RANKS: 1
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdio.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    printf("%.*f\n", (int)(sum + N) % 13, sum);
    fpos64_t position;
    fgetpos64(stdout, &position);
    sendAround(1 + (int)position.__pos % 40);
  }
  MPI_Finalize();
}
