// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of a burst that is skipped, the counting is kept, which is a message's length; where the count is given, not even that.
#include "../ring.h"

static double x[N], y[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  for (int step = 0; step < 3 * STEPS; ++step) {
    int count = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      const double a = y[i] * 0.5 + x[i], b = a * a - 0.25 * y[i], c = a * b + 3 * a - b;
      y[i] = (a - b) * (a + c) + 0.125 * c * (b - c) + a * b * c;
      count += x[i] > 0.02 * step;
    }
    sendAround(count);
  }
  MPI_Finalize();
}
