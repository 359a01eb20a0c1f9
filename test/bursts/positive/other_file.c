// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: one file is read while the other is written: what is written decides nothing.
// BURSTS: # 3
#include "../ring.h"
#include <math.h>
#include <stdio.h>

static double values[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "sums.%d", rank);
  FILE *out = fopen(name, "w");
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      values[i] = sqrt(values[i] + noise(i, step, rank));
      sum += values[i];
    }
    fprintf(out, "%d %g\n", step, sum);
    fwrite(values, sizeof *values, N, out);
    if (sum > 1e9)
      fprintf(out, "large\n");
    FILE *in = fopen("../bursts", "r");
    if (!in || fscanf(in, "# %d", &count) != 1)
      MPI_Abort(MPI_COMM_WORLD, 4);
    fclose(in);
    sendAround(count);
  }
  fclose(out);
  MPI_Finalize();
}
