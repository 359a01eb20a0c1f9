// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the flags of floating-point exceptions, kept by functions that compute nothing else, decide a message's size.
#include "../../ring.h"
#include <fenv.h>
#include <math.h>

static double field[N], sums[N];

__attribute__((noinline)) static void compute(int step, int rank) {
  // EXPECT-RUN: on the flags of floating-point exceptions
  for (int i = 0; i < N; ++i) {
    const double number = noise(i, step, rank);
    sums[i] += field[i] = exp(number < 0.0005 ? 1e9 : number);
  }
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    fenv_t before;
    feholdexcept(&before);
    compute(step, rank);
    fexcept_t flags;
    fegetexceptflag(&flags, FE_OVERFLOW);
    fesetenv(&before);
    feclearexcept(FE_ALL_EXCEPT);
    fesetexceptflag(&flags, FE_OVERFLOW);
    sendAround(fetestexcept(FE_OVERFLOW) ? 3 : 5);
  }
  MPI_Finalize();
}
