// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop takes as many words from a text as it computes; how many are left decides.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

enum { WORDS = 400 };

static char *rest;

__attribute__((noinline)) static void take(int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < WORDS / 2; ++i)
    if (noise(i, step, rank) > 0.5)
      strsep(&rest, " ");
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char *text = malloc(2 * WORDS + 1);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < WORDS; ++i)
      memcpy(text + 2 * i, "a ", 3);
    rest = text;
    take(step, rank);
    int left = 0;
    while (strsep(&rest, " "))
      ++left;
    sendAround(left);
  }
  free(text);
  MPI_Finalize();
}
