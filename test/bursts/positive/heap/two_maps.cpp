// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two maps of one type share what searches their nodes and frees them. One says how long messages are; the other is
// only counted in.
#include "../../ring.h"
#include <map>

static double values[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  std::map<int, int> lengths, marks;
  for (int i = 0; i < 8; ++i)
    lengths[i * 5 % 8] = 10 + i;
  for (int step = 0; step < 2 * STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      if (values[i] > 0.9)
        ++marks[i % 50];
    sendAround(lengths[step % 11]);
  }
  MPI_Finalize();
}
