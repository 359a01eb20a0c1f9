// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result is in a pattern that is made in one function and used in others.
#define _GNU_SOURCE
#include "../../ring.h"
#include <regex.h>
#include <stdio.h>

static regex_t pattern;

__attribute__((noinline)) static void make(const char *text) {
  if (regcomp(&pattern, text, REG_NOSUB))
    MPI_Abort(MPI_COMM_WORLD, 4);
}

__attribute__((noinline)) static int fits(const char *text) {
  return !regexec(&pattern, text, 0, NULL, 0);
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    char text[40];
    snprintf(text, sizeof text, "^[0-%d]*$", count % 10);
    make(text);
    sendAround(fits("3") ? 7 : fits("6") ? 6 : 5);
    regfree(&pattern);
  }
  MPI_Finalize();
}
