// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop's result goes into the environment and comes back as a message's size.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    char text[20];
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.3;
    snprintf(text, sizeof text, "%d", count);
    setenv("MESSAGE_SIZE", text, 1);
    sendAround(atoi(getenv("MESSAGE_SIZE")));
  }
  MPI_Finalize();
}
