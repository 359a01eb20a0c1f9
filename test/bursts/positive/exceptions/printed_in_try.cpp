// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: loops that complain of their data to std::cout, where exceptions are caught and the program goes on: what they
// print throws none, and what other code prints with the same stream rests on none of it.
#include "../../ring.h"
#include <iostream>
#include <vector>

[[gnu::noinline]] static int find(const std::vector<int> &rows, int id, int rank) {
  const int row = rows[id % rows.size()];
  if (row < 0)
    std::cout << "rank " << rank << ": no row for " << id << std::endl;
  return row;
}

[[gnu::noinline]] static int makeStructure(int rank, int step) {
  int threw = 0;
  try {
    std::vector<int> rows(500), columns(20000);
    // EXPECT-SKIP
    for (int i = 0; i < 500; ++i)
      rows[i] = static_cast<int>(1000 * noise(i, step, rank));
    // EXPECT-SKIP
    for (int i = 0; i < 20000; ++i)
      columns[i] = find(rows, rows[i % 500] + i, rank) + find(rows, i, rank);
  } catch (...) {
    std::cout << "rank " << rank << " threw" << std::endl;
    threw = 1;
  }
  int all = 0;
  MPI_Allreduce(&threw, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < 5 * STEPS; ++step) {
    sendAround(makeStructure(rank, step) ? 7 : 3);
    std::cout << "step " << step << std::endl;
  }
  MPI_Finalize();
}
