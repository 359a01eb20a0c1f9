// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether the process's scheduling changes rests on a sum; asked for again, it decides a message's size.
#define _GNU_SOURCE
#include "../../ring.h"
#include <sched.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    const struct sched_param parameters = {0};
    sched_setscheduler(0, SCHED_OTHER, &parameters);
    if (sum > 0)
      sched_setscheduler(0, SCHED_BATCH, &parameters);
    sendAround(sched_getscheduler(0) == SCHED_BATCH ? 3 : 5);
  }
  MPI_Finalize();
}
