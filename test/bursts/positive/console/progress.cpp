// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: lines of progress are printed inside a burst, when its own counting says so: they appear all the same.
// PRINTED: ^row \d+ of step \d+$
// PRINTED: ^third \d+ begins$
#include "../../ring.h"
#include <cstdio>
#include <iostream>
#include <vector>

static double sweep(std::vector<double> &values, int step, int rank) {
  double sum = 0;
  for (int i = 0; i < N; ++i) {
    values[i] = 0.5 * values[i] + noise(i, step, rank);
    sum += values[i];
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> values(N);
  double sum = 0;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP: not frail
    for (int row = 0; row < 12; ++row) {
      if (rank == 0 && row % 4 == 0)
        std::printf("row %d of step %d\n", row, step);
      if (row % 4 == 1)
        std::cout << "third " << row / 4 << " begins" << "\n";
      sum += sweep(values, step, rank);
      if (sum > 1000)
        std::printf("the sum is large: %g\n", sum);
    }
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
