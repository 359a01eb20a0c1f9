// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function that looks at the residual is tried out before its flag is set: what the flag was then says nothing.
#include "../../ring.h"
#include <math.h>

static double x[N];
static int checks;

__attribute__((noinline)) static int isDone(double sum) {
  double residual = 0;
  MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return checks && residual < 0.01 * N;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  int early = isDone(x[0]) + isDone(x[1]);
  checks = argc > 0;
  for (int sweep = early; sweep < 100; ++sweep) {
    double sum = 0;
    // EXPECT-RUN: the end of the loop
    for (int i = 0; i < N; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    if (isDone(sum))
      break;
  }
  MPI_Finalize();
}
