// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the order in which requests are waited for is a permutation that a loop computes.
#include "../../ring.h"

enum { PARTS = 8 };

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, tokens[2][PARTS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int order[PARTS] = {0};
    MPI_Request requests[PARTS];
    // EXPECT-RUN
    for (int i = 0; i < PARTS; ++i) {
      int at = (int)(noise(i, step, rank) * (i + 1));
      order[i] = order[at];
      order[at] = i;
    }
    for (int i = 0; i < PARTS; ++i)
      MPI_Irecv(&tokens[0][i], 1, MPI_INT, (rank + ranks - 1) % ranks, i, MPI_COMM_WORLD,
                &requests[i]);
    for (int i = 0; i < PARTS; ++i)
      MPI_Send(&tokens[1][i], 1, MPI_INT, (rank + 1) % ranks, order[i], MPI_COMM_WORLD);
    for (int i = 0; i < PARTS; ++i)
      MPI_Wait(&requests[order[i]], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
