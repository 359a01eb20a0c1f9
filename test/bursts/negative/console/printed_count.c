// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how many characters a print wrote of a computed number becomes a message's count.
#include "../../ring.h"
#include <stdio.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double values[N] = {0};
  for (int step = 0; step < STEPS * 3; ++step) {
    int written = 0;
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      sum += values[i] * values[i];
      if (i == N - 1)
        written = printf("%.*f\n", (int)sum % 13, sum);
    }
    sendAround(1 + written % 40);
  }
  MPI_Finalize();
}
