// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number becomes text, and the text's length is a message's size.
#include "../../ring.h"
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  static char text[32 * N];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    static char in[32 * N];
    double sum = 1;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum *= 0.5 + noise(i, step, rank);
    // EXPECT-RUN
    for (int i = 0, end = 0; i < 100; ++i)
      end += sprintf(text + end, "%g,", sum * noise(i, step, rank));
    MPI_Sendrecv(text, (int)strlen(text), MPI_CHAR, (rank + 1) % ranks, 1, in, sizeof in, MPI_CHAR,
                 (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
