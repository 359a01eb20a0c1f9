// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: counts are exchanged with MPI_Alltoall, then used by MPI_Alltoallv.
#include "../../ring.h"
#include <string.h>

enum { RANKS = 16 };

int main(int argc, char **argv) {
  static double out[MOST], in[MOST];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int sends[RANKS] = {0}, receives[RANKS], from[RANKS] = {0}, into[RANKS] = {0};
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      ++sends[(int)(noise(i, step, rank) * ranks)];
    MPI_Alltoall(sends, 1, MPI_INT, receives, 1, MPI_INT, MPI_COMM_WORLD);
    for (int to = 1; to < ranks; ++to) {
      from[to] = from[to - 1] + sends[to - 1];
      into[to] = into[to - 1] + receives[to - 1];
    }
    MPI_Alltoallv(out, sends, from, MPI_DOUBLE, in, receives, into, MPI_DOUBLE, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
