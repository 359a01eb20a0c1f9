// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long a message is, a function returned that may throw, and that a loop calls, too: the call is a burst. Given
// that number it is skipped, and what stands for its result then goes over the edge on which the call returns.
#include "../ring.h"
#include <stdexcept>
#include <vector>

__attribute__((noinline)) static int firstAbove(const std::vector<double> &field, double limit) {
  if (field.empty())
    throw std::runtime_error("no field");
  for (size_t i = 0; i < field.size(); ++i)
    if (field[i] > limit)
      return static_cast<int>(i);
  return -1;
}

/// A vector that has to be freed where something is thrown.
__attribute__((noinline)) static void exchange(int step, int rank) {
  std::vector<double> field(N);
  // EXPECT-RUN
  // EXPECT-GIVEN: with recorded decisions
  for (int i = 0; i < N; ++i)
    field[i] = noise(i, step, rank);
  int places = 0;
  // EXPECT-RUN
  // EXPECT-GIVEN: with recorded decisions
  for (int i = 0; i < 40; ++i)
    places += firstAbove(field, 0.01 * i);
  const int found = firstAbove(field, places > 0 ? 0.9 : 0.8);
  int common = 0;
  MPI_Allreduce(&found, &common, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  sendAround(2 + common % 5);
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step)
    exchange(step, rank);
  MPI_Finalize();
}
