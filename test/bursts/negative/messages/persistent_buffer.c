// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a persistent request sends, every step, the count that a loop has left in its buffer.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, mine, theirs;
  MPI_Request requests[2];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Send_init(&mine, 1, MPI_INT, (rank + 1) % ranks, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&theirs, 1, MPI_INT, (rank + ranks - 1) % ranks, 2, MPI_COMM_WORLD, &requests[1]);
  for (int step = 0; step < STEPS; ++step) {
    mine = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sendAround(theirs);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
}
