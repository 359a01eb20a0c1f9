// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what loops of a few iterations each compute, which are many together, is the length of a message: they run.
#include "../../ring.h"

enum { Side = 16 };

static double field[Side][Side][Side];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int above = 0;
    // EXPECT-RUN @ 15
#pragma clang loop unroll(disable)
    for (int i = 1; i < Side - 1; ++i)
#pragma clang loop unroll(disable)
      for (int j = 1; j < Side - 1; ++j)
#pragma clang loop unroll(disable)
        for (int k = 1; k < Side - 1; ++k) {
          field[i][j][k] = 0.5 * field[i - 1][j][k] + noise(k, step + i + j, rank);
          above += field[i][j][k] > 0.9;
        }
    sendAround(above % MOST);
  }
  MPI_Finalize();
}
