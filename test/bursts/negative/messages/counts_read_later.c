// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a nonblocking collective may read its arrays of counts after the call, and so may a persistent one: they are no
// points, and what they rest on runs even where decisions are given.
#include "../../ring.h"

enum { RANKS = 16 };

int main(int argc, char **argv) {
  static double out[MOST], in[MOST];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int counts[RANKS], places[RANKS] = {0};
    // EXPECT-RUN
    for (int from = 0; from < ranks; ++from) {
      counts[from] = 0;
      for (int i = 0; i < N; ++i)
        counts[from] += noise(i, step, from) > 0.9;
      if (from)
        places[from] = places[from - 1] + counts[from - 1];
    }
    MPI_Request request;
    MPI_Iallgatherv(out, counts[rank], MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
