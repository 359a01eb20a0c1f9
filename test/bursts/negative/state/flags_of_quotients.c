// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a quotient had no finite value is left in the flags of floating-point exceptions, which decide a message's
// size.
#include "../../ring.h"
#include <fenv.h>
#include <stdio.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    feclearexcept(FE_ALL_EXCEPT);
    // EXPECT-RUN: rests on the flags of floating-point exceptions
    for (int i = 0; i < N; ++i)
      field[i] = 1.0 / (int)(2000 * noise(i, step, rank));
    sendAround(fetestexcept(FE_DIVBYZERO) ? 3 : 5);
  }
  if (rank == 0)
    printf("%g\n", field[0]);
  MPI_Finalize();
}
