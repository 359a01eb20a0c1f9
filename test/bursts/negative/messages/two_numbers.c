// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two numbers are reduced into a structure; the second one decides about messages.
#include "../../ring.h"
#include <stdlib.h>

struct State {
  double step, size;
};

static double field[N];

__attribute__((noinline)) static struct State *makeState(void) {
  struct State *state = malloc(sizeof *state);
  state->step = 0;
  state->size = 3;
  return state;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct State *state = makeState();
  for (int step = 0; step < STEPS; ++step) {
    double most[2] = {0, 0};
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      most[i % 2] = field[i] > most[i % 2] ? field[i] : most[i % 2];
    }
    MPI_Allreduce(most, &state->step, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sendAround((int)(state->size * 1000) % 100);
  }
  free(state);
  MPI_Finalize();
}
