// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: MPI_Exscan turns counts into places, which displace what is gathered.
#include "../../ring.h"

enum { RANKS = 16 };

int main(int argc, char **argv) {
  static double out[MOST], in[RANKS * MOST];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0, before = 0, counts[RANKS], places[RANKS];
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(&mine, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&before, 1, MPI_INT, places, 1, MPI_INT, MPI_COMM_WORLD);
    places[0] = 0;
    MPI_Allgatherv(out, mine, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
    sendAround(places[ranks - 1] % MOST);
  }
  MPI_Finalize();
}
