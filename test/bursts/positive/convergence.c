// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an iteration may end when it has converged; the user says that it does not.
// BURSTS: main:23 stay
#include "../ring.h"
#include <math.h>

static double x[20000];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < 20000; ++i)
    x[i] = noise(i, 0, rank);
  for (int sweep = 0; sweep < 5 * STEPS; ++sweep) {
    double sum = 0, residual;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < 20000; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    sendAround(7);
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (residual < 1e-9)
      break;
  }
  MPI_Finalize();
}
