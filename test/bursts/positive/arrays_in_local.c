// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: numbers that are computed lie in an array in a local structure, beside the count that decides.
#include "../ring.h"

struct State {
  int cells[N], count, marks[4];
};

__attribute__((noinline)) static void fill(int *cells, int many, int step, int rank) {
  // EXPECT-SKIP
  for (int i = 0; i < many; ++i)
    cells[i] = cells[i] / 2 + (int)(100 * noise(i, step, rank));
}

__attribute__((noinline)) static void clear(struct State *state, int count) {
  for (int i = 0; i < N; ++i)
    state->cells[i] = i;
  state->count = count;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct State state;
  clear(&state, 5 + argc);
  for (int step = 0; step < STEPS; ++step) {
    fill(state.cells, N, step, rank);
    sendAround(state.count);
  }
  MPI_Finalize();
}
