// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: addresses that a loop chooses go through a buffer that numbers go through, too, by copies whose lengths nobody
// knows. How much is sent lies behind them.
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

static int few = 3, many = 40;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), size = N - argc;
  int **chosen = malloc(size * sizeof(int *)), **unpacked = malloc(size * sizeof(int *));
  double *field = calloc(size, sizeof(double)), *halo = calloc(size, sizeof(double));
  char *buffer = malloc(2 * size * sizeof(double));
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < size; ++i)
      chosen[i] = noise(i, step, rank) < 0.3 ? &many : &few;
    // EXPECT-SKIP
    for (int i = 0; i < size; ++i)
      field[i] += noise(i, step, rank) + halo[i];
    memcpy(buffer, chosen, size * sizeof(int *));
    memcpy(buffer + size * sizeof(double), field, size * sizeof(double));
    memcpy(unpacked, buffer, size * sizeof(int *));
    memcpy(halo, buffer + size * sizeof(double), size * sizeof(double));
    sendAround(*unpacked[size / 2] + step);
  }
  free(buffer);
  MPI_Finalize();
}
