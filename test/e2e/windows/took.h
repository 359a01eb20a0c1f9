/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How long calls take in simulated time: begin(), then after each call TOOK(seconds). */
#pragma once

#include "../topologies/check.h"
#include <math.h>
#include <unistd.h>

static double since;

static void sleepFor(double seconds) {
  for (; seconds > 1e-9; seconds -= 0.5)
    usleep(500000);
}

// All ranks at the same date.
static void begin(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  sleepFor(ceil(MPI_Wtime() / 1000 + 0.5) * 1000 - MPI_Wtime());
  since = MPI_Wtime();
}

static void took(double expected, int line) {
  double seconds = MPI_Wtime() - since;
  if (fabs(seconds - expected) > 1e-6)
    printf("rank %d, line %d: %g s, expected %g\n", rank, line, seconds, expected);
  check(fabs(seconds - expected) <= 1e-6, "time", line);
  since = MPI_Wtime();
}
#define TOOK(seconds) took(seconds, __LINE__)
