// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an exception is caught far above, on the other side of a call through a pointer, and decides who sends.
#include "../../ring.h"
#include <vector>

static double field[N];

[[gnu::noinline]] static void check(double value, int place) {
  if (value > 1.7)
    throw place;
}

[[gnu::noinline]] static void sweep(int step) {
  std::vector<double> kept(8); // is given back on the way up
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, 0);
    kept[i % 8] = field[i];
    check(field[i], i);
  }
}

[[gnu::noinline]] static void nothing(int) {}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  void (*work[])(int) = {nothing, sweep};
  for (int step = 0; step < STEPS * 3; ++step) {
    int place = 1;
    try {
      work[argc > 0](step);
    } catch (int where) {
      place = 1 + where % 7;
      field[where] = 0;
    }
    sendAround(place);
  }
  MPI_Finalize();
}
