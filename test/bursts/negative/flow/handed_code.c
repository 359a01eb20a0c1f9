// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function ends the program with the code that it is handed: one caller hands 1, the other 0, no error.
#include "../../ring.h"
#include <stdlib.h>

static double field[N];

__attribute__((noinline)) static void end(int status) {
  MPI_Finalize();
  exit(status);
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  if (argc > 5)
    end(1);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0, total;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] += noise(i, step, 0);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (total > 2 * STEPS * N)
      end(0);
    sendAround(5);
  }
  MPI_Finalize();
  return 0;
}
