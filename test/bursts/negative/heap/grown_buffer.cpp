// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a vector grows in a loop, and what lies in it says where the next rank's data go.
#include "../../ring.h"
#include <vector>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    std::vector<int> chosen(1, rank);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.4)
        chosen.push_back(i);
    sendAround(chosen.back() % 100 + 1);
  }
  MPI_Finalize();
}
