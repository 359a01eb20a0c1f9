// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop allocates as much as it has computed, which may be too much; the handler communicates.
#include "../../ring.h"
#include <new>

static double field[N];

[[gnu::noinline]] static double *make(double value) {
  return new double[value > 1.7 ? 1UL << 59 : 1 + static_cast<unsigned long>(value)];
}

[[gnu::noinline]] static void sweep(int step) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, 0);
    double *part = make(field[i]);
    part[0] = field[i];
    field[(i + 1) % N] += 1e-9 * part[0];
    delete[] part;
  }
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    int count = 1;
    try {
      sweep(step);
    } catch (const std::bad_alloc &) {
      count = 2;
    }
    sendAround(count);
  }
  MPI_Finalize();
}
