// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop writes a count byte by byte into a buffer of characters that is read as a number.
#include "../../ring.h"
#include <stddef.h>
#include <stdint.h>

static unsigned char stream[8 * N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < 8 * N; ++i)
      stream[i] = (unsigned char)(noise(i, step, rank) * 256);
    uint16_t number = *(const uint16_t *)(const void *)(stream + (size_t)(16 * step));
    sendAround(number % MOST);
  }
  MPI_Finalize();
}
