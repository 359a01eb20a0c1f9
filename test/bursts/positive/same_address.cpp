// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function that gives back a number is called by bursts and between them, where it decides. What bursts hand it
// decides nothing; nor does a branch on a value that is computed, behind which an address is the same on both ways.
#include "../ring.h"
#include <cstdio>
#include <vector>

struct Matrix {
  std::vector<int> rows = std::vector<int>(500);
  std::vector<double> values = std::vector<double>(500);
};

[[gnu::noinline]] static int find(const std::vector<int> &rows, int id) {
  size_t first = 0, count = rows.size();
  while (count > 0) {
    const size_t half = count / 2;
    if (rows[first + half] < id) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return static_cast<int>(first);
}

[[gnu::noinline]] static void sweep(Matrix &matrix, int step, int rank) {
  std::vector<double> sums(500);
  // EXPECT-SKIP
  for (int i = 0; i < 20000; ++i) {
    const int row = find(matrix.rows, static_cast<int>(500 * matrix.values[i % 500]));
    sums[row % 500] += noise(i, step, rank);
  }
  // EXPECT-SKIP
  for (int i = 0; i < 500; ++i)
    matrix.values[i] = 0.25 * (sums[i] / 40 + noise(i, step, rank));
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  Matrix matrix;
  for (int i = 0; i < 500; ++i)
    matrix.rows[i] = 3 * i;
  for (int step = 0; step < 2 * STEPS; ++step) {
    sweep(matrix, step, rank);
    if (matrix.values[step] > 0.1)
      printf("rank %d: %g\n", rank, matrix.values[step]);
    sendAround(1 + find(matrix.rows, 7 * step));
  }
  MPI_Finalize();
}
