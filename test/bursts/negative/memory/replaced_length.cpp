// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long a vector is is read again behind a branch on computed data, which may have shortened it.
#include "../../ring.h"
#include <vector>

struct state {
  std::vector<int> rows;
  char *seen;
  double *values;
};

__attribute__((noinline)) static int look(state *state) {
  int looked = 0;
  for (std::size_t i = 0; i < state->rows.size(); ++i) {
    if (state->values[i] > 0.5) {
      for (int k = 0; k < 3; ++k)
        state->seen[3 * i + k] = (char)k;
      state->rows.pop_back();
    }
    ++looked;
  }
  return looked;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  state *own = new state;
  own->seen = new char[3 * N]();
  own->values = new double[N]();
  for (int step = 0; step < STEPS * 3; ++step) {
    own->rows.assign(20, 1);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      own->values[i] = noise(i, step, rank);
    sendAround(look(own));
  }
  delete[] own->values;
  delete[] own->seen;
  delete own;
  MPI_Finalize();
}
