// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result says under which name a text is a part of the environment.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char *text = malloc(64);
  strcpy(text, "XGNOMON_TEST=0");
  putenv(text);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    text[0] = count % 2 ? 'X' : 'Y';
    sendAround(getenv("XGNOMON_TEST") ? 3 : 5);
  }
  MPI_Finalize();
}
