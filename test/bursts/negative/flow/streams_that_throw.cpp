// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a stream that is asked to throw when it fails, and fails on a value that a loop computes, does so; the handler
// communicates.
#include "../../ring.h"
#include <iostream>

static double field[N];

[[gnu::noinline]] static void complain(const char *text) { std::cout << text; }

[[gnu::noinline]] static void sweep(int step) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, 0);
    if (field[i] > 1.7)
      complain(field[i] > 1e10 ? "large" : nullptr);
  }
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  std::cout.exceptions(std::ios::badbit);
  for (int step = 0; step < STEPS * 3; ++step) {
    int count = 1;
    try {
      sweep(step);
    } catch (const std::ios_base::failure &) {
      count = 2;
      std::cout.clear();
    }
    sendAround(count);
  }
  MPI_Finalize();
}
