// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the same, with a line of a file.
// EXIT: 3
#include "../../ring.h"
#include <error.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    error_at_line(step == STEPS - 1 && sum > -0.25 * N ? 3 : 0, 0, "input", 7, "step %d", step);
    sendAround(1 + step % 3);
  }
  MPI_Finalize();
}
