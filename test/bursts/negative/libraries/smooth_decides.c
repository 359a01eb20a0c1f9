// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the user's own table says what a function does; what it writes decides a message's size.
// NATIVE: smooth_decides_part.c
// EFFECTS: function smooth_field: updates 0, returns value
#include "../../ring.h"

double smooth_field(double *field, int size);

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < N; ++i)
      field[i] = noise(i, step, rank);
    // EXPECT-RUN: the count of MPI_Sendrecv
    smooth_field(field, N);
    sendAround(1 + (int)(1000 * field[N / 2]));
  }
  MPI_Finalize();
}
