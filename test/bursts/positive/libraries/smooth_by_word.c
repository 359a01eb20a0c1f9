// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a function outside the program does is said in the user's own table; nobody needs its result.
// NATIVE: smooth_by_word_part.c
// EFFECTS: function smooth_field: updates 0, returns value
#include "../../ring.h"

double smooth_field(double *field, int size);

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < N; ++i)
    field[i] = noise(i, 0, rank);
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP
    smooth_field(field, N);
    sendAround(step);
  }
  MPI_Finalize();
}
