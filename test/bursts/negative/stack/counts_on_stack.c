// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of large arrays on the stack one holds counts of messages, beside one that decides nothing.
#include "../../ring.h"

enum { Large = 1 << 15 };

__attribute__((noinline)) static int chosen(int step, int rank) {
  double field[Large];
  int counts[Large];
  // EXPECT-RUN
  for (int i = 0; i < Large; ++i)
    counts[i] = (int)(100 * noise(i, step, rank));
  // EXPECT-SKIP
  for (int i = 0; i < Large; ++i)
    field[i] = noise(i, step + 1, rank);
  MPI_Bcast(field, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return counts[step * 7] + counts[Large - 1];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step)
    sendAround(1 + chosen(step, rank));
  MPI_Finalize();
}
