// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a std::map that a loop fills gets one more node outside it, and how many it has decides a count. What adds the
// node runs whatever is skipped, and follows the links of all: so the filling runs.
#include "../../ring.h"
#include <map>
#include <vector>

__attribute__((noinline)) static int placed(const std::vector<int> &columns, int first) {
  std::map<int, int> places;
  // EXPECT-RUN
  for (int column : columns)
    if (column > first && places.find(column) == places.end()) {
      const int place = static_cast<int>(places.size());
      places[column] = place;
    }
  places[first] = -1;
  return static_cast<int>(places.size());
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<int> columns(N);
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      columns[i] = static_cast<int>(1000 * noise(i, step, rank));
    sendAround(placed(columns, 10 * step) % 50 + 1);
  }
  MPI_Finalize();
}
