// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: streams of C++ tell inside a burst what it found, with strings and ends of lines.
#include "../../ring.h"
#include <iostream>
#include <string>
#include <vector>

static std::string title = "the least of all the values that were computed in one step";

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> values(N);
  double sum = 0;
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      sum += values[i];
      if (values[i] < 1e-4)
        std::cout << title << " is " << values[i] << " at " << i << std::endl;
      if (sum < 0)
        std::cerr << "negative: " << sum << '\n';
    }
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
