// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two maps of one type, either of which may be the one that says how long messages are: the rank chooses.
#include "../../ring.h"
#include <map>

static double values[N];

__attribute__((noinline)) static int lengthIn(std::map<int, int> &map, int step) {
  return map[step % 11];
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  std::map<int, int> lengths, marks;
  for (int i = 0; i < 8; ++i)
    lengths[i * 5 % 8] = 10 + i;
  for (int step = 0; step < 2 * STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (values[i] > 0.9)
        ++marks[i % 50];
    sendAround(lengthIn(rank % 2 ? lengths : marks, step));
  }
  MPI_Finalize();
}
