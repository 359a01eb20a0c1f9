// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of a local union the IR has one member's type: the array of another is longer, and its last number decides.
#include "../../ring.h"

enum { CELLS = 200 };

struct State {
  int before;
  union {
    double pair[2];
    int cells[CELLS];
  } as;
};

__attribute__((noinline)) static void fill(int *cells, int many, int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < many; ++i)
    cells[i] = cells[i] / 2 + (int)(100 * noise(i, step, rank));
}

__attribute__((noinline)) static void clear(struct State *state) {
  state->before = 1;
  for (int i = 0; i < CELLS; ++i)
    state->as.cells[i] = i;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct State state;
  clear(&state);
  for (int step = 0; step < STEPS; ++step) {
    fill(state.as.cells, CELLS, step, rank);
    sendAround(state.before + state.as.cells[CELLS - 1]);
  }
  MPI_Finalize();
}
