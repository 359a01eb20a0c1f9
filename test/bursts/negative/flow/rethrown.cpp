// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop throws on a value; one handler throws on, the next one communicates.
#include "../../ring.h"
#include <stdexcept>

static double field[N];

[[gnu::noinline]] static void sweep(int step) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, 0);
    if (field[i] > 1.7)
      throw i;
  }
}

[[gnu::noinline]] static void tidy(int step) {
  int *owned = new int[N];
  owned[0] = step;
  try {
    sweep(step);
  } catch (...) {
    delete[] owned;
    throw;
  }
  sendAround(1 + owned[0] % 2);
  delete[] owned;
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    try {
      tidy(step);
    } catch (int place) {
      sendAround(place);
      field[place] = 0;
    }
  }
  MPI_Finalize();
}
