// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: receives are posted long before the loop whose bursts compute what they will bring.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, theirs[STEPS];
  MPI_Request requests[STEPS];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step)
    MPI_Irecv(&theirs[step], 1, MPI_INT, (rank + ranks - 1) % ranks, 100 + step, MPI_COMM_WORLD,
              &requests[step]);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % ranks, 100 + step, MPI_COMM_WORLD);
    MPI_Wait(&requests[step], MPI_STATUS_IGNORE);
    sendAround(theirs[step]);
  }
  MPI_Finalize();
}
