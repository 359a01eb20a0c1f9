// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: nobody knows what inline assembly does to memory; here it changes a message's size.
#include "../../ring.h"

static long hidden;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    long *address = &hidden, sum = 0;
    hidden = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      sum += noise(i, step, rank) < 0.5;
      __asm__ volatile("mov %1, (%0)" : : "r"(address), "r"(sum) : "memory");
    }
    sendAround((int)hidden);
  }
  MPI_Finalize();
}
