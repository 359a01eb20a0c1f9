// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two solvers go on until their residuals are small, and a third one with what the second has found: where one
// of the decisions is executed and the others are given, the arrays that it rests on must be right, and only they.
#include "../ring.h"
#include <stdlib.h>

/* Collectives of one operation may be one, as far as the compiler knows: each solver has its own. */
static inline double together(double part, MPI_Op operation) {
  double all;
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double *first = malloc(N * sizeof *first), *second = malloc(N * sizeof *second);
  double *third = malloc(N * sizeof *third);
  for (int step = 0; step < 3; ++step) {
    double rest;
    for (int i = 0; i < N; ++i)
      first[i] = noise(i, step, rank);
    for (int i = 0; i < N; ++i)
      second[i] = noise(i, step + 50, rank);
    do {
      rest = 0;
      for (int i = 0; i < N; ++i)
        rest += first[i] *= 0.5 + 0.3 * first[i];
      rest = together(rest, MPI_SUM);
      sendAround(5);
    } while (rest > 1);
    do {
      rest = 0;
      for (int i = 0; i < N; ++i)
        rest += second[i] *= 0.2 + 0.5 * second[i];
      rest = together(rest, MPI_MAX);
      sendAround(7);
    } while (rest > 1e-3);
    for (int i = 0; i < N; ++i)
      second[i] *= 900;
    for (int i = 0; i < N; ++i)
      third[i] = second[i] + noise(i, step + 90, rank);
    do {
      rest = 0;
      for (int i = 0; i < N; ++i)
        rest += third[i] *= 0.4;
      rest = together(rest, MPI_MIN);
      sendAround(9);
    } while (rest > 1);
  }
  MPI_Finalize();
}
