// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the residual is looked at from some step on: the flag that says so changes while the loop runs.
#include "../../ring.h"
#include <math.h>

static double x[N];
static int checks;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  checks = argc > 1;
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  for (int sweep = 0; sweep < 100; ++sweep) {
    double sum = 0, residual;
    // EXPECT-RUN: the end of the loop
    for (int i = 0; i < N; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (checks && residual < 0.01 * N)
      break;
    if (sweep == 5)
      checks = 1;
  }
  MPI_Finalize();
}
