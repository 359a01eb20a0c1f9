// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of short loops behind each other one makes what nobody reads, a leakage: nothing rests on it. It is in one burst
// with its neighbours all the same, and is executed with them where what they compute decides.
#include "../../ring.h"

enum { Most = 16, Cells = 24 };

static int angles; // so that no loop is unrolled
static double psi[Most], in[Most], out[Most], leak[Most];

static double cell(int i, int step, int rank) {
  double sum = 0;
  // EXPECT-GIVEN: this loop and the 3 behind it are one burst @ 15
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    psi[a] = noise(a + i, step, rank) + 0.25 * out[a];
  // EXPECT-SKIP
  for (int a = 0; a < angles; ++a)
    leak[a] += 0.5 * in[a];
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    in[a] = 0.5 * psi[a];
  // EXPECT-RUN
  for (int a = 0; a < angles; ++a)
    sum += out[a] = 2 * psi[a] - in[a];
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double all = 0;
  angles = 7 + argc;
  for (int step = 0; step < STEPS; ++step)
    for (int i = 0; i < Cells; ++i) {
      all += cell(i, step, rank);
      if (i % 8 == 0)
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
  sendAround(1 + (int)(all * 1000) % 1000);
  MPI_Finalize();
}
