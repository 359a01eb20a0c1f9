// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other half of pivots.c.
#include <mpi.h>

/// Sends on what lies out of place, if anything does.
void sendRows(const double *pivots, int *rows, int count, int self) {
  static double held[8];
  for (int i = 0; i < count; ++i) {
    rows[i] = (int)pivots[i];
    for (int j = 0; j < i; ++j)
      rows[i] ^= rows[j] & 1;
  }
  for (int row = 0;; ++row) {
    if (row == count)
      return;
    int distance = rows[row] - row;
    if (distance > count / 2 && distance % 3)
      break;
  }
  MPI_Sendrecv_replace(held, 8, MPI_DOUBLE, self, 4, self, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
