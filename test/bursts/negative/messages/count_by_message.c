// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop on one rank computes the count that another rank receives as payload and uses.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0, theirs = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % ranks, 5, &theirs, 1, MPI_INT,
                 (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround(theirs);
  }
  MPI_Finalize();
}
