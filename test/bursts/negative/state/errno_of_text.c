// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether numbers that a loop writes as text are too large to be read again is left in errno, which decides a
// message's size.
#include "../../ring.h"
#include <errno.h>
#include <stdlib.h>

static char text[N][32];
static long numbers[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      const int digits = noise(i, step, rank) < 0.0005 ? 24 : 8;
      for (int at = 0; at < digits; ++at)
        text[i][at] = (char)('1' + (int)(8 * noise(i + at, step, rank)));
      text[i][digits] = 0;
    }
    errno = 0;
    // EXPECT-RUN: rests on errno
    for (int i = 0; i < N; ++i)
      numbers[i] = strtol(text[i], NULL, 10);
    sendAround(errno == ERANGE ? 3 : 5);
  }
  MPI_Finalize();
}
