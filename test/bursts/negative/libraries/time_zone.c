// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether the environment names another time zone rests on a sum; the hour there decides a message's size.
#include "../../ring.h"
#include <stdlib.h>
#include <time.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    setenv("TZ", "UTC0", 1);
    if (sum > 0)
      setenv("TZ", "XYZ5", 1);
    tzset();
    const time_t start = 0;
    sendAround(localtime(&start)->tm_hour);
  }
  MPI_Finalize();
}
