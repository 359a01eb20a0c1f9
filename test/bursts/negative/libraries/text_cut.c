// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number that a loop computes lies in a text behind another word; a pointer that has moved on finds it there.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static const char *next(char **rest) { return strsep(rest, ","); }

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char *text = malloc(64);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    snprintf(text, 64, "count,%d,end", count);
    char *rest = text;
    next(&rest);
    sendAround(atoi(next(&rest)));
  }
  free(text);
  MPI_Finalize();
}
