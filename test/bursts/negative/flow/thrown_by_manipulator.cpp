// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a manipulator of the program's own, handed to a stream of the console, throws on a value that a loop computes;
// the handler communicates.
#include "../../ring.h"
#include <iostream>

static double field[N];
static int place;

[[gnu::noinline]] static std::ostream &check(std::ostream &stream) {
  if (field[place] > 1.7)
    throw place;
  return stream;
}

[[gnu::noinline]] static void sweep(int step) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, 0);
    place = i;
    std::cout << check;
  }
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    int count = 1;
    try {
      sweep(step);
    } catch (int) {
      count = 2;
    }
    sendAround(count);
  }
  MPI_Finalize();
}
