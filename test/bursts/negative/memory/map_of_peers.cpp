// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop fills a map from peers to amounts; iterating over it sends messages.
#include "../../ring.h"
#include <map>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static double out[MOST], in[MOST];
  for (int step = 0; step < STEPS; ++step) {
    std::map<int, int> amounts;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, 0) < 0.1)
        ++amounts[1 + i % (ranks > 1 ? ranks - 1 : 1)];
    for (auto [offset, amount] : amounts)
      MPI_Sendrecv(out, amount, MPI_DOUBLE, (rank + offset) % ranks, 1, in, MOST, MPI_DOUBLE,
                   (rank + ranks - offset % ranks) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
