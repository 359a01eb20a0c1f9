// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops of a few iterations each, which are many together since they lie in each other, are a burst: the sizes of some
// programs are constants.
#include "../ring.h"

enum { Side = 16 };

static double field[Side][Side][Side], next[Side][Side][Side];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP @ 15
#pragma clang loop unroll(disable)
    for (int i = 1; i < Side - 1; ++i)
#pragma clang loop unroll(disable)
      for (int j = 1; j < Side - 1; ++j)
#pragma clang loop unroll(disable)
        for (int k = 1; k < Side - 1; ++k)
          next[i][j][k] = 0.25 * (field[i - 1][j][k] + field[i + 1][j][k] + field[i][j][k - 1]) +
                          noise(k, step, rank);
    // EXPECT-SKIP @ 24
#pragma clang loop unroll(disable)
    for (int i = 1; i < Side - 1; ++i)
#pragma clang loop unroll(disable)
      for (int j = 1; j < Side - 1; ++j)
#pragma clang loop unroll(disable)
        for (int k = 1; k < Side - 1; ++k)
          field[i][j][k] = 0.5 * (next[i][j - 1][k] + next[i][j + 1][k]);
    sendAround(step % 7);
  }
  MPI_Finalize();
}
