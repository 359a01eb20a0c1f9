// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is a bit field, beside others that the same loop writes.
#include "../../ring.h"

struct state {
  unsigned active : 3, count : 12, phase : 5;
  float energy;
};

static struct state states[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      states[i].count = (unsigned)(noise(i, step, rank) * 4000) & 4095;
      states[i].active = states[i].count & 7;
    }
    sendAround(states[step * 9].count);
  }
  MPI_Finalize();
}
