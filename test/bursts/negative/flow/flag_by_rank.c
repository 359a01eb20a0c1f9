// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one rank alone looks at what all have computed; the others have no say, and no reason to skip.
#include "../../ring.h"
#include <math.h>

static double x[N];
static int checks;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  checks = argc > 1 || rank == 2;
  for (int i = 0; i < N; ++i)
    x[i] = noise(i, 0, rank);
  int done = 0;
  for (int sweep = 0; sweep < 100 && !done; ++sweep) {
    double sum = 0, residual;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      double next = 0.9 * x[i] + 0.1;
      sum += fabs(next - x[i]);
      x[i] = next;
    }
    MPI_Allreduce(&sum, &residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int mine = 0, all;
    if (checks)
      mine = residual < 0.01 * N;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    done = all;
  }
  MPI_Finalize();
}
