// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: errno is read right behind the call that it is of, is printed, or leads to an error's end only; what loops leave
// there decides nothing.
#include "../../ring.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double field[N];

static int readNumber(const char *text) {
  errno = 0;
  const long number = strtol(text, NULL, 10);
  return errno ? 1 : (int)number;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      field[i] = sqrt(noise(i, step, rank) - 0.0005);
    if (errno == ENOMEM)
      MPI_Abort(MPI_COMM_WORLD, 2);
    if (rank == 0)
      printf("%d %s %g\n", errno, strerror(errno), field[step]);
    sendAround(readNumber(argc > 1 ? argv[1] : "7"));
  }
  MPI_Finalize();
}
