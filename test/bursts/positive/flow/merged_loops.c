// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop of constant length lies in one that communicates and carries nothing along. The compiler gives both one
// header, whose ways back are one; the rounds of the inner loop are a burst all the same.
#include "../../ring.h"
#include <math.h>
#include <string.h>

static double field[N], next[N];
static int step;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), more = 1;
  double rest, all;
  for (int i = 0; i < N; ++i)
    field[i] = i % 7;
  while (more) {
    rest = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      next[i] = 0.5 * field[i];
      rest += fabs(next[i] - field[i]);
    }
    memcpy(field, next, sizeof field);
    MPI_Allreduce(&rest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    more = rank == 0 && ++step < STEPS;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
