// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the library of shared_library.c.
#include "../../ring.h"

int countAndWait(int step, int rank);

static double field[N];

int countAndWait(int step, int rank) {
  int count = 0;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, rank);
    count += field[i] > 0.7;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return count;
}
