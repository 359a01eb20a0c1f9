// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: computed numbers are printed by a stream of C++ and joined to strings, lines end with endl,
// and objects are destroyed at exit; nothing reads any of it back.
#include "../../ring.h"
#include <iostream>
#include <string>
#include <vector>

static std::string title = "the sum of all the values that were computed in one step";

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> values(N);
  for (int step = 0; step < STEPS * 3; ++step) {
    double sum = 0;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      sum += values[i];
    }
    if (rank == 0 && step % 12 == 0)
      std::cout << title << " " << step << ": " << sum << std::endl;
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
