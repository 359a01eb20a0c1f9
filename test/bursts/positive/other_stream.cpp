// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one stream is read while the other is written: what is written decides nothing.
// BURSTS: # 3
#include "../ring.h"
#include <cmath>
#include <fstream>
#include <string>

static double values[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::ofstream out("sums." + std::to_string(rank));
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      values[i] = std::sqrt(values[i] + noise(i, step, rank));
      sum += values[i];
    }
    out << step << ' ' << sum << '\n';
    std::ifstream in("../bursts");
    char mark;
    in >> mark >> count;
    sendAround(count);
  }
  MPI_Finalize();
}
