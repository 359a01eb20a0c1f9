// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is read back decides nothing, and the user says so.
// BURSTS: files=unread
#include "../ring.h"
#include <math.h>
#include <stdio.h>

static double values[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char name[40];
  snprintf(name, sizeof name, "sums.%d", rank);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0, again = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      values[i] = sqrt(values[i] + noise(i, step, rank));
      sum += values[i];
    }
    FILE *file = fopen(name, "w");
    fprintf(file, "%g\n", sum);
    fclose(file);
    file = fopen(name, "r");
    if (fscanf(file, "%lg", &again) != 1)
      again = -1;
    fclose(file);
    printf("%g\n", again);
    sendAround(step);
  }
  MPI_Finalize();
}
