// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop over elements that times each of their steps, behind a residual that decides. With that given it is one burst,
// its clocks included, and no pieces between clocks; a loop of which a piece is free without decisions stays in pieces.
#include "../ring.h"

static double field[50][200], other[50][200], seconds[2];

__attribute__((noinline)) static double now(void) { return MPI_Wtime(); }

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double residual = 1;
  for (int step = 0; residual > 1e-3 && step < 2 * STEPS; ++step) {
    double change = 0;
    // EXPECT-GIVEN: an iteration of this loop
    for (int row = 1; row < 50; ++row) {
      double begin = now();
      for (int i = 1; i < 200; ++i)
        for (int j = i; j < 200; ++j)
          field[row][i] =
              0.5 * (field[row][j - 1] + field[row - 1][i]) + 1e-3 * noise(i, row, rank);
      seconds[0] += now() - begin;
      begin = now();
      for (int i = 1; i < 200; ++i)
        for (int j = 1; j < 200; ++j)
          change += field[row][i] - field[row][j];
      seconds[1] += now() - begin;
    }
    for (int row = 1; row < 50; ++row) {
      double begin = now();
      for (int i = 1; i < 200; ++i)
        field[row][i] *= 0.5;
      seconds[0] += now() - begin;
      begin = now();
      // EXPECT-SKIP
      for (int i = 1; i < 200; ++i)
        for (int j = 1; j < 200; ++j)
          other[row][i] = 0.5 * (other[row][j] + other[row - 1][i]) + 1;
      seconds[1] += now() - begin;
    }
    change += field[49][rank + 1];
    MPI_Allreduce(&change, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    residual = residual < 0 ? -residual : residual;
    sendAround(10);
  }
  sendAround(seconds[0] >= 0 && seconds[1] >= 0 ? 5 : 6);
  MPI_Finalize();
}
