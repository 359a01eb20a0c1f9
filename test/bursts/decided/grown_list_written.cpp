// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: as in grown_list.cpp, but code that always runs writes to the list, too: so where it lies must be right, and what
// grows it runs, whatever is given. Other loops are skipped.
#include "../ring.h"
#include <vector>

static double values[N], others[N];

static std::vector<int> longOnes(int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
  std::vector<int> list;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    if (values[i] > 0.985)
      list.push_back(i);
  return list;
}

static int longOther(int step, int rank) {
  // EXPECT-RUN
  // EXPECT-GIVEN: with recorded decisions
  for (int i = 0; i < N; ++i)
    others[i] = noise(i, step + 7, rank) + 0.001 * others[N - 1 - i];
  int count = 0;
  for (int i = 0; i < N; ++i)
    count += others[i] > 0.97;
  return count;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < 2 * STEPS; ++step) {
    std::vector<int> list = longOnes(step, rank);
    const int most = list.size() < 4 ? (int)list.size() : 4;
    int common = 0;
    MPI_Allreduce(&most, &common, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int k = 0; k < common; ++k) {
      sendAround(list[k]);
      list[k] = rank + k;
    }
    sendAround(longOther(step, rank));
    for (int k = 0; k < common; ++k)
      sendAround(list[k]);
  }
  MPI_Finalize();
}
