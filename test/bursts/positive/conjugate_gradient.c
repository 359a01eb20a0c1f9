// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: conjugate gradients with a fixed number of iterations: sums over all ranks are payload
// only. The matrix's structure, made once, holds indices and is exact.
#include "../ring.h"

enum { ROWS = 3000, PER_ROW = 7 };

static int columns[ROWS * PER_ROW], starts[ROWS + 1];
static double values[ROWS * PER_ROW], x[ROWS], r[ROWS], p[ROWS], q[ROWS];

static double sumOverRanks(double mine) {
  double sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void makeMatrix(int rank) {
  for (int row = 0; row < ROWS; ++row) {
    for (int j = 0; j < PER_ROW; ++j) {
      columns[row * PER_ROW + j] = (int)(noise(row, j, rank) * ROWS);
      values[row * PER_ROW + j] = j == 0 ? 10 : noise(row, j, rank);
    }
    starts[row + 1] = starts[row] + PER_ROW;
    r[row] = p[row] = 1;
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  makeMatrix(rank);
  double rho = sumOverRanks(ROWS);
  for (int iteration = 0; iteration < 10 * STEPS; ++iteration) {
    // EXPECT-SKIP
    for (int row = 0; row < ROWS; ++row) {
      double sum = 0;
      for (int j = starts[row]; j < starts[row + 1]; ++j)
        sum += values[j] * p[columns[j]];
      q[row] = sum;
    }
    double dot = 0, newRho = 0;
    // EXPECT-SKIP
    for (int row = 0; row < ROWS; ++row)
      dot += p[row] * q[row];
    double alpha = rho / sumOverRanks(dot);
    // EXPECT-SKIP
    for (int row = 0; row < ROWS; ++row) {
      x[row] += alpha * p[row];
      r[row] -= alpha * q[row];
      newRho += r[row] * r[row];
    }
    newRho = sumOverRanks(newRho);
    // EXPECT-SKIP
    for (int row = 0; row < ROWS; ++row)
      p[row] = r[row] + newRho / rho * p[row];
    rho = newRho;
  }
  MPI_Finalize();
}
