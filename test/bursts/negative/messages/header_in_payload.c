// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the first number of a floating-point message says how many to send back.
#include "../../ring.h"

static double out[N], in[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    out[0] = 1;
    // EXPECT-RUN
    for (int i = 1; i < N; ++i) {
      out[i] = noise(i, step, rank);
      out[0] += out[i];
    }
    MPI_Sendrecv(out, N, MPI_DOUBLE, (rank + 1) % ranks, 1, in, N, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround((int)in[0]);
  }
  MPI_Finalize();
}
