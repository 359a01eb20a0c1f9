// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: keys are sorted into buckets as in NPB's IS; the buckets' sizes are the messages'.
#include "../../ring.h"

enum { RANKS = 16, BUCKETS = 64 };

static int keys[N], sorted[N], buckets[BUCKETS], bounds[BUCKETS + 1];

static void sortKeys(int step, int rank) {
  for (int i = 0; i < BUCKETS; ++i)
    buckets[i] = 0;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    keys[i] = (int)(noise(i, step, rank) * noise(i, step + 50, rank) * 65536);
    ++buckets[keys[i] / (65536 / BUCKETS)];
  }
  // EXPECT-RUN
  for (int i = 0; i < BUCKETS; ++i)
    bounds[i + 1] = bounds[i] + buckets[i];
  for (int i = 0; i < N; ++i)
    sorted[bounds[keys[i] / (65536 / BUCKETS) + 1] - buckets[keys[i] / (65536 / BUCKETS)]--] =
        keys[i];
}

int main(int argc, char **argv) {
  static int in[16 * N];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int sends[RANKS], from[RANKS], receives[RANKS], into[RANKS] = {0};
    sortKeys(step, rank);
    for (int to = 0; to < ranks; ++to) {
      from[to] = bounds[to * BUCKETS / ranks];
      sends[to] = bounds[(to + 1) * BUCKETS / ranks] - from[to];
    }
    MPI_Alltoall(sends, 1, MPI_INT, receives, 1, MPI_INT, MPI_COMM_WORLD);
    for (int to = 1; to < ranks; ++to)
      into[to] = into[to - 1] + receives[to - 1];
    MPI_Alltoallv(sorted, sends, from, MPI_INT, in, receives, into, MPI_INT, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
