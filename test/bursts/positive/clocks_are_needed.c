// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: where functions that read clocks keep something that decides, the loop that calls them
// always runs; the loops between the calls are bursts of their own.
#include "../ring.h"

static double field[200][200], began, seconds[2];

__attribute__((noinline)) static void start(void) { began = MPI_Wtime(); }
__attribute__((noinline)) static void stop(int timer) { seconds[timer] += MPI_Wtime() - began; }

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < 5 * STEPS; ++step) {
    for (int row = 1; row < 20; ++row) {
      start();
      // EXPECT-SKIP
      for (int i = 1; i < 200; ++i)
        for (int j = 1; j < 200; ++j)
          field[i][j] = 0.5 * (field[i][j - 1] + field[i - 1][j]) + row;
      stop(row % 2);
    }
    sendAround(5);
  }
  sendAround(seconds[0] >= 0 && seconds[1] >= 0 ? 5 : 6);
  MPI_Finalize();
}
