// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pointer in a structure is read again behind a call and behind a branch on computed data;
// it is the same whichever way was taken.
#include "../ring.h"
#include <stdlib.h>

struct boxes {
  int count;
  int *inside;
};

struct state {
  struct boxes *boxes;
  char *seen; // the optimiser takes a character for a part of anything
  double *values;
};

__attribute__((noinline)) static double gather(struct state *state, int step) {
  double sum = 0;
  // EXPECT-SKIP
  for (int box = 0; box < state->boxes->count; ++box) {
    int inside = state->boxes->inside[box];
    if (inside == 0)
      continue;
    for (int i = 0; i < 27; ++i) {
      int other = (box + i) % state->boxes->count;
      for (int j = 0; j < state->boxes->inside[other]; ++j)
        for (int k = 0; k < inside; ++k)
          sum += state->values[(box * 8 + j + k + step) % N];
      state->seen[box] = (char)i;
    }
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct state *state = malloc(sizeof *state);
  state->boxes = malloc(sizeof *state->boxes);
  state->boxes->count = 100;
  state->boxes->inside = calloc(100, sizeof(int));
  state->seen = calloc(100, 1);
  state->values = calloc(N, sizeof(double));
  double sum = 0;
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP
    for (int box = 0; box < 100; ++box)
      state->boxes->inside[box] = (int)(noise(box, step, rank) * 8);
    state->values[step] = sum;
    sum += gather(state, step);
    sendAround(1 + step % 3);
  }
  free(state->values);
  free(state->seen);
  free(state->boxes->inside);
  free(state->boxes);
  free(state);
  MPI_Finalize();
  return sum < 0;
}
