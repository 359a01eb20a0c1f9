// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a vector grows in a loop; its size is a message's.
#include "../../ring.h"
#include <vector>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    std::vector<double> chosen;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.4)
        chosen.push_back(noise(i, step, rank));
    sendAround(static_cast<int>(chosen.size()));
  }
  MPI_Finalize();
}
