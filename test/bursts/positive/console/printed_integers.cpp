// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: integers that were counted are printed by a stream of C++; nobody reads them.
#include "../../ring.h"
#include <iostream>
#include <vector>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> values(N);
  for (int step = 0; step < STEPS * 3; ++step) {
    int large = 0;
    bool any = false;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      large += values[i] > 0.9;
      any |= values[i] > 1.9;
    }
    if (rank == 0)
      std::cout << large << " values are large, one is very large: " << any << std::endl;
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
