// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two maps of one type, of which one is filled by what was counted in the other, and says how long messages are.
#include "../../ring.h"
#include <map>

static double values[N];

__attribute__((noinline)) static void copy(const std::map<int, int> &from, std::map<int, int> &to) {
  for (int i = 0; i < 50; ++i)
    if (const auto found = from.find(i); found != from.end())
      to[i % 11] = found->second;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  std::map<int, int> lengths, marks;
  for (int step = 0; step < 2 * STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (values[i] > 0.9)
        ++marks[i % 50];
    copy(marks, lengths);
    sendAround(lengths[step % 11]);
  }
  MPI_Finalize();
}
