// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a lambda behind std::function raises a counter that it has captured by reference.
#include "../../ring.h"
#include <algorithm>
#include <functional>
#include <vector>

[[gnu::noinline]] static void forAll(const std::vector<double> &data,
                                     const std::function<void(double)> &action) {
  std::for_each(data.begin(), data.end(), action);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> data(N);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      data[i] = noise(i, step, rank);
    forAll(data, [&count](double value) { count += value < 0.3; });
    sendAround(count);
  }
  MPI_Finalize();
}
