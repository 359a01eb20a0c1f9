// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result goes into a text that is a part of the environment; code that the compiler does not see reads it.
// NATIVE: environment_outside_part.c
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int countOutside(void);

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char *text = malloc(64);
  strcpy(text, "GNOMON_TEST_COUNT=0");
  putenv(text);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    snprintf(text + strlen("GNOMON_TEST_COUNT="), 20, "%d", count);
    sendAround(countOutside());
  }
  MPI_Finalize();
}
