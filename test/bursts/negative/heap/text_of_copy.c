// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a text that a loop makes is copied into a block, which is freed when how much is sent has been read from it.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[N + 1];

__attribute__((noinline)) static int countOf(const char *letters) {
  char *copy = strdup(letters);
  int count = 0;
  for (char *at = copy; *at; ++at)
    count += *at == 'x';
  free(copy);
  return count;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      text[i] = noise(i, step, rank) < 0.3 ? 'x' : 'o';
    sendAround(countOf(text));
  }
  MPI_Finalize();
}
