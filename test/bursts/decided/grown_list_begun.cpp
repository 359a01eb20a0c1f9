// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: as in grown_list.cpp, but code outside loops makes room for the first number, and always runs. What frees that
// rests on the data; since it is made once, and little, nobody has to.
#include "../ring.h"
#include <vector>

static double values[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  // EXPECT-RUN
  // EXPECT-GIVEN: with recorded decisions
  for (int step = 0; step < 50; ++step)
    for (int i = 0; i < N; ++i)
      values[i] = noise(i, step, rank) + 0.001 * values[N - 1 - i];
  std::vector<int> list;
  list.push_back(rank + 1);
  // EXPECT-GIVEN: with recorded decisions
  for (int i = 0; i < N; ++i)
    if (values[i] > 0.985)
      list.push_back(i);
  const int most = list.size() < 4 ? (int)list.size() : 4;
  int common = 0;
  MPI_Allreduce(&most, &common, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  for (int k = 0; k < common; ++k)
    sendAround(list[k]);
  MPI_Finalize();
}
