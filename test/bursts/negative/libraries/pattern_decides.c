// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result is in a pattern; how much of a text this fits is a message's size.
#define _GNU_SOURCE
#include "../../ring.h"
#include <regex.h>
#include <stdio.h>

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    char text[40];
    snprintf(text, sizeof text, "^[0-%d]*", count % 10);
    regex_t pattern;
    regmatch_t found;
    if (regcomp(&pattern, text, 0))
      MPI_Abort(MPI_COMM_WORLD, 4);
    sendAround(regexec(&pattern, "00112233445566778899", 1, &found, 0) ? 0 : (int)found.rm_eo);
    regfree(&pattern);
  }
  MPI_Finalize();
}
