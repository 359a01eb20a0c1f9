// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a root of a number below zero was taken is left in errno, which decides a message's size.
#include "../../ring.h"
#include <errno.h>
#include <math.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    errno = 0;
    // EXPECT-RUN: rests on errno
    for (int i = 0; i < N; ++i)
      field[i] = sqrt(noise(i, step, rank) - 0.0005);
    sendAround(errno == EDOM ? 3 : 5);
  }
  MPI_Finalize();
}
