// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a std::map that a loop fills and a destructor takes apart decides nothing: the filling is skipped, and the
// destructor finds the map as it was constructed.
#include "../../ring.h"
#include <map>
#include <vector>

__attribute__((noinline)) static double placed(const std::vector<int> &columns, int first) {
  std::map<int, int> places;
  double sum = 0;
  // EXPECT-SKIP
  for (int column : columns)
    if (column > first && places.find(column) == places.end()) {
      const int place = static_cast<int>(places.size());
      places[column] = place;
      sum += place;
    }
  double all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<int> columns(N);
  double total = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      columns[i] = static_cast<int>(1000 * noise(i, step, rank));
    total += placed(columns, 10 * step);
    sendAround(3);
  }
  MPI_Finalize();
  return total < 0;
}
