// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the exit code is computed: it may be 0, and then the end of the program is no error.
// EXIT: 10
#include "../../ring.h"
#include <stdlib.h>

static double field[N];

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0, total;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] += noise(i, step, 0);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (total > 2 * STEPS * N) {
      MPI_Finalize();
      exit(step - 1);
    }
    sendAround(5);
  }
  MPI_Finalize();
  return 0;
}
