// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long a vector is comes from two addresses, which are read again behind a branch on computed data; the
// number that the optimiser makes of them is the same whichever way was taken.
#include "../ring.h"
#include <vector>

struct state {
  std::vector<int> rows;
  char *seen; // the optimiser takes a character for a part of anything
  double *values;
};

__attribute__((noinline)) static int look(state *state) {
  int looked = 0;
  for (std::size_t i = 0; i < state->rows.size(); ++i) {
    const int row = state->rows[i];
    looked += row;
    if (state->values[row % state->rows.size()] > 0.5)
      for (int k = 0; k < 3; ++k)
        state->seen[3 * i + k] = (char)k;
  }
  return looked;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  state *own = new state;
  own->rows.assign(100, 1);
  own->seen = new char[3 * N]();
  own->values = new double[N]();
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      own->values[i] = noise(i, step, rank);
    sendAround(look(own) / 50);
  }
  delete[] own->values;
  delete[] own->seen;
  delete own;
  MPI_Finalize();
}
