// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each iteration of a nest may give the whole up, when what it computes does not converge. Who skips it as a whole
// need not know.
#include "../ring.h"
#include <math.h>
#include <stdio.h>

static double roots[N], sum;

static int findRoots(int rank, int step) {
  // EXPECT-SKIP
  for (int i = 0; i < N; ++i) {
    int rounds = 0;
    double root = 1 + noise(i, step, rank);
    for (;;) {
      double total = 0;
      for (int k = 1; k <= 40 + rank; ++k)
        total += root / k;
      const double next = 0.5 * (root + total / (root * root));
      if (fabs(next - root) < 1e-6)
        break;
      if (rounds == 300)
        return 1;
      ++rounds;
      root = next;
    }
    roots[i] = root;
  }
  return 0;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), failed = 0;
  for (int step = 0; step < STEPS; ++step) {
    failed += findRoots(rank, step);
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += roots[i];
    sendAround(step);
  }
  printf("%g %d\n", sum, failed);
  MPI_Finalize();
}
