// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a cursor into a buffer goes on in bursts and in code that always runs; what is behind it
// is sent.
#include "../../ring.h"

static double buffer[STEPS * N + STEPS];
static int cursor;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static double in[STEPS * N + STEPS];
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.3)
        buffer[cursor++] = noise(i, step, rank);
    buffer[cursor++] = -1;
    MPI_Sendrecv(buffer, cursor, MPI_DOUBLE, (rank + 1) % ranks, 1, in, STEPS * N + STEPS,
                 MPI_DOUBLE, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
