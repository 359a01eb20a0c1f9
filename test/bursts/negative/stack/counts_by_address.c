// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a helper gives back what it finds by an argument's address; the kernel has it count in a variable from which the
// number of elements is made, one that it gets from a function.
#include "../../ring.h"

static double field[N];

__attribute__((noinline)) static void count(double value, int *counter) {
  if (value > 0.9)
    ++*counter;
}

__attribute__((noinline)) static int *chosen(int *first, int *second, int step) {
  return step % 2 ? first : second;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int large = 0, others = 0, setup = 0;
    count(step, &setup);
    int *counter = chosen(&large, &others, step);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count(field[i] = 0.5 * field[i] + noise(i, step, rank), counter);
    sendAround(1 + large + setup);
  }
  MPI_Finalize();
}
