// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: counts lie in structs of one allocation site, reached through an array of pointers.
#include "../../ring.h"
#include <stdlib.h>

struct cell {
  int *count;
  double *values;
};

static struct cell *cells[100];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < 100; ++i) {
    cells[i] = malloc(sizeof(struct cell));
    cells[i]->count = malloc(sizeof(int));
    cells[i]->values = malloc(10 * sizeof(double));
    *cells[i]->count = 0;
  }
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      *cells[i % 100]->count = (*cells[i % 100]->count + (int)(noise(i, step, rank) * 99)) % MOST;
    sendAround(*cells[step * 8]->count);
  }
  MPI_Finalize();
}
