// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one number is reduced into a structure; the number behind it, which decides about messages, stays what it was.
#include "../../ring.h"
#include <stdlib.h>

struct State {
  double step, size;
  MPI_Datatype real;
};

static double field[N];

__attribute__((noinline)) static struct State *makeState(int argc) {
  struct State *state = malloc(sizeof *state);
  state->step = 0;
  state->size = argc > 100 ? 7 : 3;
  state->real = MPI_DOUBLE;
  return state;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct State *state = makeState(argc);
  for (int step = 0; step < STEPS * 3; ++step) {
    double least = 1;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank) * state->step;
      least = field[i] < least ? field[i] : least;
    }
    MPI_Allreduce(&least, &state->step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    sendAround((int)state->size);
  }
  free(state);
  MPI_Finalize();
}
