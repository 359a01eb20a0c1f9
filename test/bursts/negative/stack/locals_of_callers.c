// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function that calls itself writes the local array of the call above it, and its own by the same address; what
// comes to lie in the outermost one is sent.
#include "../../ring.h"

enum { DEPTH = 3, PARTS = 8 };

static double field[N];

__attribute__((noinline)) static double descend(int depth, double *above, int step, int rank) {
  double parts[PARTS] = {0};
  double *target = depth == DEPTH ? parts : above;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    target[i % PARTS] += field[i] = 0.5 * field[i] + noise(i, step + depth, rank);
  if (depth < DEPTH)
    descend(depth + 1, parts, step, rank);
  double sum = 0;
  // EXPECT-RUN
  for (int i = 0; i < PARTS; ++i)
    sum += parts[(i * 3) % PARTS];
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double none[PARTS];
  for (int step = 0; step < STEPS; ++step)
    sendAround((int)descend(0, none, step, rank) % MOST);
  MPI_Finalize();
}
