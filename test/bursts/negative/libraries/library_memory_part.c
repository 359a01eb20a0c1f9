// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the library of library_memory.c.
#include "../../ring.h"

void fillAndWait(int *counts, int step, int rank);

void fillAndWait(int *counts, int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    counts[i] = (int)(noise(i, step, rank) * MOST);
  MPI_Barrier(MPI_COMM_WORLD);
}
