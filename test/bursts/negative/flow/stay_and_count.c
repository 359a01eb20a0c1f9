// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: that the run stays in a loop does not make right what else the same residual decides.
// BURSTS: main:25 stay
#include "../../ring.h"
#include <math.h>

static double x[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), halo = 1;
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  for (int sweep = 0; sweep < STEPS; ++sweep) {
    double sum = 0, residual;
    // EXPECT-RUN: the count of MPI_Sendrecv
    for (int i = 0; i < N; ++i) {
      double next = 0.6 * x[i];
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (residual < 100)
      halo = 1 + (int)residual;
    sendAround(halo);
    if (residual < 1e-9)
      break;
  }
  MPI_Finalize();
}
