// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pointer in a structure is read again behind a branch on computed data, which may have
// replaced it; what it leads to is a count.
#include "../../ring.h"
#include <stdlib.h>

struct box {
  int count;
};

struct state {
  struct box *box, *other;
  double *values;
};

__attribute__((noinline)) static void look(struct state *state, double limit) {
  double sum = 0;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    sum += state->values[i];
  if (sum > limit) {
    struct box *box = state->box;
    state->box = state->other;
    state->other = box;
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct state *state = malloc(sizeof *state);
  state->box = malloc(sizeof *state->box);
  state->other = malloc(sizeof *state->other);
  state->box->count = 3;
  state->other->count = 7;
  state->values = calloc(N, sizeof(double));
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      state->values[i] = noise(i, step, rank);
    look(state, N / 2.0);
    sendAround(state->box->count);
  }
  MPI_Finalize();
}
