// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two arrays of counts change places after each step; old values must be where they are
// looked for.
#include "../../ring.h"

static int first[N], second[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), *now = first, *before = second;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      now[i] = (before[(i + 1) % N] + (int)(noise(i, step, rank) * 100)) % MOST;
    int *spare = now;
    now = before;
    before = spare;
    sendAround(before[step]);
  }
  MPI_Finalize();
}
