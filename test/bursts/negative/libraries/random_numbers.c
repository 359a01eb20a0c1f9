// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop draws random numbers; how many it drew decides which number comes next.
#include "../../ring.h"
#include <stdlib.h>

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  srand((unsigned)rank + 1);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      field[i] += rand();
    sendAround(rand() % MOST);
  }
  MPI_Finalize();
}
