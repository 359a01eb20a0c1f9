// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the flags of floating-point exceptions are printed, kept, put back and raised again; they decide nothing.
#include "../../ring.h"
#include <fenv.h>
#include <stdio.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    const int raised = fetestexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    fenv_t before;
    feholdexcept(&before);
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      field[i] = 1 / (noise(i, step, rank) - 0.5);
    if (rank == 0)
      printf("%d %g\n", fetestexcept(FE_DIVBYZERO), field[step]);
    feupdateenv(&before);
    feraiseexcept(raised);
    sendAround(3);
  }
  MPI_Finalize();
}
