// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop computes the tag of a message on both of its sides.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, token = rank;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int tag = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      tag = (tag * 3 + (int)(noise(i, step, 0) * 100)) % 30000;
    MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + 1) % ranks, tag, (rank + ranks - 1) % ranks,
                         tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
