// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a setup that counts with a loop is exact; the main loop, with the same kernel called
// again, is skipped.
#include "../ring.h"

static double field[20000];

static void sweep(double factor) {
  // EXPECT-SKIP
  for (int i = 1; i < 20000; ++i)
    field[i] = factor * (field[i - 1] + field[i]) + 1;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), halo = 1;
  for (int i = 0; i < 20000; ++i)
    field[i] = noise(i, 0, rank);
  for (int i = 0; i < 20000; ++i)
    halo += field[i] < 0.01;
  for (int step = 0; step < 5 * STEPS; ++step) {
    sweep(0.25);
    sendAround(halo);
  }
  MPI_Finalize();
}
