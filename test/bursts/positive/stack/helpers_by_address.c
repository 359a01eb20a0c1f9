// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a helper gives back what it finds by its arguments' addresses; the kernel calls it with its own data, when these
// say so, and counts are made with its help, in variables of their own.
#include "../../ring.h"
#include <string.h>

struct Ordered {
  int places[3];
  int least;
};

static double field[N];

/// Where each of three values comes in their order, and the least of them.
__attribute__((noinline)) static void order(const int *values, struct Ordered *found, int *sum) {
  memset(found, 0, sizeof *found);
  found->least = values[0];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      found->places[i] += values[j] < values[i];
    if (values[i] < found->least)
      found->least = values[i];
    *sum += values[i];
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double total = 0;
  for (int step = 0; step < STEPS; ++step) {
    struct Ordered kernel, counts;
    int kernelSum = 0, sum = 0;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      if (field[i] > 0.9) {
        order((int[3]){(int)(field[i] * 1000), (int)total % 1000, 7}, &kernel, &kernelSum);
        total += kernel.places[i % 3] + kernelSum % 7;
      }
    }
    order((int[3]){step * 5, 17, 23}, &counts, &sum);
    sendAround(1 + counts.least + counts.places[step % 3] + sum);
  }
  MPI_Finalize();
}
