// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: nobody sees that a clock was read; that a random number was drawn, the next draw does.
#include "../../ring.h"
#include <stdlib.h>

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double seconds = 0;
  srand(rank + 1);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN: 'rand'
    for (int i = 0; i < N; ++i) {
      seconds -= MPI_Wtime();
      field[i] = rand();
      seconds += MPI_Wtime();
    }
    sendAround(1 + rand() % 100);
  }
  MPI_Finalize();
}
