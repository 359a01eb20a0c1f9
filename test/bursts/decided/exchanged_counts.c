// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: which rank a number goes to rests on the number. How many go where is counted, exchanged and summed up, and
// arrays say so to MPI_Alltoallv: all of their numbers are given.
#include "../ring.h"
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double *mine = malloc(sizeof(double) * N), *sorted = malloc(sizeof(double) * N);
  double *received = malloc(sizeof(double) * N * ranks);
  int *sends = malloc(sizeof(int) * ranks), *from = malloc(sizeof(int) * ranks);
  int *receives = malloc(sizeof(int) * ranks), *into = malloc(sizeof(int) * ranks);
  for (int i = 0; i < N; ++i)
    mine[i] = noise(i, 1, rank);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-GIVEN: this loop
    for (int to = 0; to < ranks; ++to) {
      from[to] = to ? from[to - 1] + sends[to - 1] : 0;
      sends[to] = 0;
      for (int i = 0; i < N; ++i)
        if ((int)(mine[i] * ranks) == to)
          sorted[from[to] + sends[to]++] = mine[i];
    }
    MPI_Alltoall(sends, 1, MPI_INT, receives, 1, MPI_INT, MPI_COMM_WORLD);
    into[0] = 0;
    for (int to = 1; to < ranks; ++to)
      into[to] = into[to - 1] + receives[to - 1];
    MPI_Alltoallv(sorted, sends, from, MPI_DOUBLE, received, receives, into, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    // What has come decides what becomes of the rank's own numbers.
    for (int i = 0; i < N; ++i) {
      double next = 3.7 * mine[i] * (1 - mine[i]) + 0.02 * received[i % (receives[rank] + 1)];
      mine[i] = next - (int)next;
    }
  }
  MPI_Finalize();
}
