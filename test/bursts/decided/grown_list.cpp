// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a list grows where data say so, in memory that only what grows it knows; how long messages are is read there. The
// numbers are given, and so nobody asks where they lie.
#include "../ring.h"
#include <vector>

static double values[N];

static std::vector<int> longOnes(int step, int rank) {
  // EXPECT-RUN
  // EXPECT-GIVEN: with recorded decisions
  for (int i = 0; i < N; ++i)
    values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
  std::vector<int> list;
  // EXPECT-GIVEN: with recorded decisions
  for (int i = 0; i < N; ++i)
    if (values[i] > 0.985)
      list.push_back(i);
  return list;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < 2 * STEPS; ++step) {
    const std::vector<int> list = longOnes(step, rank);
    const int most = list.size() < 4 ? (int)list.size() : 4;
    int common = 0;
    MPI_Allreduce(&most, &common, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int k = 0; k < common; ++k)
      sendAround(list[k]);
  }
  MPI_Finalize();
}
