// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a text that a loop composes chooses, by strcmp, how to communicate.
#include "../../ring.h"
#include <string.h>

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    char word[9] = "";
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      word[i % 8] = (char)('a' + (int)(noise(i, step, 0) * 26));
    if (strcmp(word, "m") < 0)
      sendAround(100);
    else
      MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
