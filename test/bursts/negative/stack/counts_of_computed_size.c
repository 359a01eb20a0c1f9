// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an array on the stack whose size is computed holds what a function that it is handed to decides by.
#include "../../ring.h"

__attribute__((noinline)) static void choose(int *counts, int items, int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < items; ++i)
    counts[i] = (int)(100 * noise(i, step, rank));
}

__attribute__((noinline)) static void sendAll(const int *counts, int items) {
  for (int i = 0; i < items; i += items / 3)
    sendAround(1 + counts[i]);
}

__attribute__((noinline)) static void step(int items, int number, int rank) {
  int counts[items];
  choose(counts, items, number, rank);
  sendAll(counts, items);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int number = 0; number < STEPS; ++number)
    step(N * argc, number, rank);
  MPI_Finalize();
}
