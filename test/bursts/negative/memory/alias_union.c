// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: floating-point stores change an integer that lies in the same union.
#include "../../ring.h"
#include <stdint.h>

union both {
  double number;
  uint64_t bits;
};

static union both cells[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      cells[i].number = 1 + noise(i, step, rank);
    sendAround((int)(cells[step].bits >> 42 & 1023));
  }
  MPI_Finalize();
}
