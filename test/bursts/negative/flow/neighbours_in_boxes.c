// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of short loops behind each other one fills boxes that nobody reads, by numbers that a loop far from it makes. Where
// what its neighbours compute decides, they are executed, and that loop is not: the numbers are not made then. So the loop with
// the boxes is a burst of its own.
#include "../../ring.h"
#include <stdlib.h>

enum { Most = 16, Cells = 24, Numbers = 1 << 14 };

static int angles; // so that no loop is unrolled
static double psi[Most], in[Most], out[Most];
static int *boxOf, *filled;

static double cell(int i, int step, int rank) {
  double sum = 0;
  // EXPECT-GIVEN: this loop and the 1 behind it are one burst @ 18
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    psi[a] = noise(a + i, step, rank) + 0.25 * out[a];
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    in[a] = 0.5 * psi[a];
  // EXPECT-SKIP
  for (int a = 0; a < angles; ++a)
    ++filled[boxOf[(a * 64 + i) % Numbers]];
  // EXPECT-GIVEN: this loop and the 1 behind it are one burst @ 28
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    out[a] = 2 * psi[a] - in[a];
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    sum += out[a];
  return sum;
}

static void chooseBoxes(int step) {
  // EXPECT-SKIP
  for (int k = 0; k < Numbers; ++k)
    boxOf[k] = (k * 7 + step) % 64;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double all = 0;
  angles = 7 + argc;
  boxOf = malloc(Numbers * sizeof *boxOf);
  filled = calloc(64, sizeof *filled);
  for (int k = 0; k < Numbers; ++k)
    boxOf[k] = 1 << 28; // until boxes are chosen
  for (int step = 0; step < STEPS; ++step) {
    chooseBoxes(step);
    for (int i = 0; i < Cells; ++i) {
      all += cell(i, step, rank);
      if (i % 8 == 0)
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
  }
  sendAround(1 + (int)(all * 1000) % 1000);
  free(boxOf);
  free(filled);
  MPI_Finalize();
}
