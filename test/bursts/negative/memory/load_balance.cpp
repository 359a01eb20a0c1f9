// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: tasks go to the least loaded rank, by a priority queue of floating-point loads.
#include "../../ring.h"
#include <queue>
#include <utility>
#include <vector>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<double> out(MOST), in(MOST);
  for (int step = 0; step < STEPS; ++step) {
    std::priority_queue<std::pair<double, int>> loads;
    std::vector<int> tasks(ranks);
    for (int i = 0; i < ranks; ++i)
      loads.push({0.0, i});
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      auto [load, least] = loads.top();
      loads.pop();
      ++tasks[least];
      loads.push({load - noise(i, step, 0) * (1 + least), least});
    }
    int amount = 0;
    MPI_Scatter(tasks.data(), 1, MPI_INT, &amount, 1, MPI_INT, 0, MPI_COMM_WORLD);
    sendAround(amount);
  }
  MPI_Finalize();
}
