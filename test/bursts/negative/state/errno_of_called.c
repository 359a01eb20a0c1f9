// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: errno, set by a function that computes and read by another one in the next step, decides a message's size.
#include "../../ring.h"
#include <errno.h>
#include <math.h>

static double field[N];

__attribute__((noinline)) static void compute(int step, int rank) {
  // EXPECT-RUN: rests on errno
  for (int i = 0; i < N; ++i)
    field[i] = pow(noise(i, step, rank) - 0.0005, 1.5);
}

__attribute__((noinline)) static int hasFailed(void) {
  const int failed = errno == EDOM;
  errno = 0;
  return failed;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    sendAround(hasFailed() ? 3 : 5);
    compute(step, rank);
  }
  MPI_Finalize();
}
