// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a shared library that communicates writes a count where the program told it to.
// SHARED: library_memory_part.c
#include "../../ring.h"

void fillAndWait(int *counts, int step, int rank);

int main(int argc, char **argv) {
  static int counts[N];
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    fillAndWait(counts, step, rank);
    sendAround(counts[step * 7]);
  }
  MPI_Finalize();
}
