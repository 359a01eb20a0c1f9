// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a recursion over a tree that a loop built sends one message a node.
#include "../../ring.h"

static int left[N], right[N];

static void walk(int node, int depth) {
  if (node >= N || depth > 20)
    return;
  sendAround(node + 1);
  if (left[node])
    walk(left[node], depth + 1);
  if (right[node])
    walk(right[node], depth + 1);
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      left[i] = noise(i, step, 0) < 0.6 ? 2 * i + 1 : 0;
      right[i] = noise(i, step + 100, 0) < 0.3 ? 2 * i + 2 : 0;
    }
    walk(0, 0);
  }
  MPI_Finalize();
}
