// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: as in grown_list_begun.cpp, but the list is begun in each step: were its first room never freed, a long run would
// need ever more memory. So what grows it runs, whatever is given; another loop is skipped.
#include "../ring.h"
#include <vector>

static double values[N], others[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < 2 * STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
    std::vector<int> list;
    list.push_back(rank + 1);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (values[i] > 0.985)
        list.push_back(i);
    const int most = list.size() < 4 ? (int)list.size() : 4;
    int common = 0;
    MPI_Allreduce(&most, &common, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int k = 0; k < common; ++k)
      sendAround(list[k]);
    // EXPECT-GIVEN: with recorded decisions
    for (int i = 0; i < N; ++i)
      others[i] = noise(i, step + 7, rank) + 0.001 * others[N - 1 - i];
    sendAround(others[step] > 0.5 ? 3 : 4);
  }
  MPI_Finalize();
}
