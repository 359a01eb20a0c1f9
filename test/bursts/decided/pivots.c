// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an elimination notes its pivots beside its numbers; a loop that reads them finds which rows are sent on. That
// loop is executed, and what it reads is given.
// WITH: pivots_part.c
#include "../ring.h"
#include <math.h>
#include <stdlib.h>

void sendRows(const double *pivots, int *rows, int count, int self);

enum { ROWS = 64 };

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double *matrix = malloc(sizeof(double) * ROWS * ROWS), *pivots = calloc(ROWS, sizeof(double));
  int *rows = calloc(ROWS, sizeof(int));
  for (int i = 0; i < ROWS * ROWS; ++i)
    matrix[i] = noise(i, 7, rank);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int column = 0; column < ROWS; ++column) {
      int best = column;
      for (int row = column; row < ROWS; ++row)
        if (fabs(matrix[row * ROWS + column]) > fabs(matrix[best * ROWS + column]))
          best = row;
      pivots[column] = best;
      for (int row = 0; row < ROWS; ++row)
        for (int i = column; i < ROWS; ++i)
          matrix[row * ROWS + i] =
              0.9 * matrix[row * ROWS + i] + 1e-3 * matrix[best * ROWS + i] * (row + step);
    }
    sendRows(pivots, rows, ROWS, rank);
    sendAround(step);
  }
  MPI_Finalize();
}
