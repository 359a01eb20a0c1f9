// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop builds an array of indices; code that always runs, and another loop, use them as
// addresses.
#include "../../ring.h"

static int *columns, storage[N], starts[N + 1];
static double values[N], x[MOST];
static int touched[MOST];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    columns = storage;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      columns[i] = (int)(noise(i, step, rank) * MOST);
      starts[i + 1] = i + 1;
    }
    // May be skipped, but must find valid indices when it runs.
    for (int row = 0; row < N; ++row)
      for (int j = starts[row]; j < starts[row + 1]; ++j)
        values[row] += x[columns[j]] * 0.5;
    touched[columns[step]] = step + 1;
    int sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < MOST; ++i)
      sum += touched[i] * (i % 7);
    sendAround(sum % MOST);
  }
  MPI_Finalize();
}
