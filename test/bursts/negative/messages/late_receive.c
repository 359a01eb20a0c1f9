// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count arrives in a nonblocking receive whose wait is in another function.
#include "../../ring.h"

static int theirs;
static MPI_Request request;

__attribute__((noinline)) static void post(int from) {
  MPI_Irecv(&theirs, 1, MPI_INT, from, 7, MPI_COMM_WORLD, &request);
}
__attribute__((noinline)) static void finish(void) { MPI_Wait(&request, MPI_STATUS_IGNORE); }

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0;
    post((rank + ranks - 1) % ranks);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % ranks, 7, MPI_COMM_WORLD);
    finish();
    sendAround(theirs);
  }
  MPI_Finalize();
}
