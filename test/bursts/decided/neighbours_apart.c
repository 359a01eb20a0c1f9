// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: of short loops behind each other one is needed, since it makes the lengths of messages, an array, which no point
// gives: those before it are one burst with decisions, those behind it another, and it is executed in each cell.
#include "../ring.h"

enum { Most = 16, Cells = 24 };

static int angles, ranks; // so that no loop is unrolled
static double psi[Most], in[Most], out[Most];
static int lengths[Most], places[Most];

static double cell(int i, int step, int rank) {
  // EXPECT-GIVEN: this loop and the 1 behind it are one burst
  for (int a = 0; a < angles; ++a)
    psi[a] = noise(a + i, step, rank) + 0.25 * out[a];
  for (int a = 0; a < angles; ++a)
    in[a] = 0.5 * psi[a];
  // EXPECT-RUN @ 21
  for (int k = 0; k < ranks; ++k)
    lengths[k] = (7 * (rank + k) + step + i) % 5;
  // EXPECT-GIVEN: this loop and the 1 behind it are one burst
  for (int a = 0; a < angles; ++a)
    out[a] = 2 * psi[a] - in[a];
  double sum = 0;
  for (int a = 0; a < angles; ++a)
    sum += out[a];
  return sum;
}

int main(int argc, char **argv) {
  static double sent[8 * Most], came[8 * Most];
  int rank = startRank(&argc, &argv);
  double all = 1;
  angles = 7 + argc;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int k = 0; k < ranks && k < Most; ++k)
    places[k] = 8 * k;
  for (int step = 0; step < STEPS || all < 0.5; ++step) {
    double mine = 0;
    for (int i = 0; i < Cells; ++i) {
      mine += cell(i, step, rank);
      if (i % 8 == 0)
        MPI_Alltoallv(sent, lengths, places, MPI_DOUBLE, came, lengths, places, MPI_DOUBLE,
                      MPI_COMM_WORLD);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (all > 1e30)
      break;
  }
  sendAround(lengths[1]);
  MPI_Finalize();
}
