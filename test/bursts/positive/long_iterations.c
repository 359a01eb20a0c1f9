// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one rank meets a nest of two loops once; its iterations are long enough to be instances.
// RANKS: 1
#include "../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double sum = 0;
  // EXPECT-SKIP
  for (int batch = 0; batch < 60 + rank; ++batch)
    for (int i = 0; i < 10000; ++i) {
      double x = noise(i, batch, rank), y = noise(batch, i, rank);
      if (x * x + y * y < 1)
        sum += x;
    }
  sendAround(11);
  printf("%g\n", sum);
  MPI_Finalize();
}
