// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: items are sorted by floating-point keys; the number of the first is a peer.
#include "../../ring.h"
#include <stdlib.h>

struct item {
  double key;
  int number;
};

static struct item items[N];

static int byKey(const void *left, const void *right) {
  double a = ((const struct item *)left)->key, b = ((const struct item *)right)->key;
  return (a > b) - (a < b);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, token = rank;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      items[i].key = noise(i, step, 0);
      items[i].number = i;
    }
    qsort(items, N, sizeof items[0], byKey);
    int offset = items[0].number % ranks;
    MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + offset) % ranks, 1,
                         (rank + ranks - offset) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
