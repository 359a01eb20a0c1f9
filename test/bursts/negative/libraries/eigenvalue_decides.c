// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an eigenvalue that a library finds decides a message's size.
// NATIVE: eigenvalue_decides_part.c
#include "../../ring.h"

void dspev_(const char *job, const char *part, const int *n, double *a, double *values,
            double *vectors, const int *lead, double *work, int *info);

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const int three = 3;
  for (int step = 0; step < STEPS; ++step) {
    double matrix[6], values[3], vectors[9], work[9], sum = 0;
    int info;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < 6; ++j)
        matrix[j] = noise(i * 6 + j, step, rank);
      dspev_("N", "L", &three, matrix, values, vectors, &three, work, &info);
      sum += values[1] - info;
    }
    sendAround((int)sum);
  }
  MPI_Finalize();
}
