// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the setup needs what its loops compute; the main loop, which does the same with other
// data, does not.
#include "../../ring.h"

static double field[N];
static int halo;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      field[i] = 0.5 * field[i] + noise(i, step, rank);
    int large = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      large += field[i] > 0.9;
    halo = large;
    sendAround(halo);
  }
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 1; i < N - 1; ++i)
      field[i] = 0.25 * field[i - 1] + 0.5 * field[i] + 0.25 * field[i + 1];
    sendAround(halo);
  }
  MPI_Finalize();
}
