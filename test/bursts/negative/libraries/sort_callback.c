// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: qsort calls a comparison that counts its calls; the count is a message's size.
#include "../../ring.h"
#include <stdlib.h>

static double data[N];
static int calls;

static int compare(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  ++calls;
  return (a > b) - (a < b);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      data[i] = noise(i, step, rank);
    qsort(data, N, sizeof data[0], compare);
    sendAround(calls % MOST);
  }
  MPI_Finalize();
}
