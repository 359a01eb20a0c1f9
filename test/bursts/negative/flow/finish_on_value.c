// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program that is finished, MPI and all, as soon as a sum is large enough: no error, and
// the end decides how many messages there are.
#include "../../ring.h"
#include <stdlib.h>

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  (void)rank;
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0, total;
    // EXPECT-RUN: 'field'
    for (int i = 0; i < N; ++i)
      sum += field[i] += noise(i, step, 0);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (total > 2 * STEPS * N) {
      MPI_Finalize();
      exit(0);
    }
    sendAround(5);
  }
  MPI_Finalize();
  return 0;
}
