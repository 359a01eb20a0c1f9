// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of two functions behind a pointer one communicates; the loops of the other are bursts too.
#include "../ring.h"
#include <stdlib.h>

struct force {
  void (*compute)(struct force *self, int step, int rank);
  double *values;
};

static void alone(struct force *self, int step, int rank) {
  // EXPECT-SKIP: not frail
  for (int i = 0; i < N; ++i)
    self->values[i] = 0.5 * self->values[i] + noise(i, step, rank);
}

static void together(struct force *self, int step, int rank) {
  // EXPECT-SKIP: not frail
  for (int i = 0; i < N; ++i)
    self->values[i] = 0.25 * self->values[i] + noise(i, step, rank);
  sendAround(3);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct force *force = malloc(sizeof *force);
  force->values = calloc(N, sizeof(double));
  force->compute = argc > 1 ? together : alone;
  for (int step = 0; step < STEPS * 3; ++step) {
    force->compute(force, step, rank);
    sendAround(1);
  }
  free(force->values);
  free(force);
  MPI_Finalize();
}
