// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how many particles leave is counted in the data, is another number on each rank and in each step, and is a message's
// length.
#include "../ring.h"

static double x[N], v[N], leaving[MOST], coming[MOST];

static int pack(void) {
  int count = 0;
  for (int i = 0; i < N; ++i) {
    x[i] += v[i];
    if (x[i] > 1) {
      x[i] -= 1;
      leaving[count++] = x[i];
    }
  }
  return count;
}

static void send(const double *buffer, int count, int rank, int ranks) {
  MPI_Status status;
  MPI_Sendrecv(buffer, count, MPI_DOUBLE, (rank + 1) % ranks, 7, coming, MOST, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, &status);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < N; ++i) {
    x[i] = noise(i, 1, rank);
    v[i] = 0.2 * noise(i, 2, rank);
  }
  for (int step = 0; step < 3 * STEPS; ++step) {
    int count = pack();
    send(leaving, count, rank, ranks);
    for (int i = 0; i < N; ++i)
      v[i] += 1e-3 * (0.1 - v[i]) * coming[i % 16];
  }
  MPI_Finalize();
}
