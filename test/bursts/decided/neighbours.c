// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: short loops that stand behind each other in a cell's code are one burst where decisions are given; what stands
// between them goes on as ever: a count that a message's length rests on, and the way that the index says.
#include "../ring.h"

enum { Most = 16, Cells = 24 };

static int angles; // so that no loop is unrolled
static double psi[Most], in[Most], out[Most], flux[Cells];
static int visits[Cells];

static double cell(int i, int step, int rank) {
  // EXPECT-RUN @ 17
  // EXPECT-GIVEN: this loop and the 3 behind it are one burst
  for (int a = 0; a < angles; ++a)
    psi[a] = noise(a + i, step, rank) + 0.25 * out[a];
  if (i % 3 == 0) {
    for (int a = 0; a < angles; ++a)
      in[a] = 0.1 * a * psi[a];
    visits[i] += 1 + (step & 1);
  } else if (i % 3 == 1) {
    visits[i] += 2;
    for (int a = 0; a < angles; ++a)
      in[a] = 0.5 * out[a];
  }
  double sum = 0;
  for (int a = 0; a < angles; ++a) {
    out[a] = 2 * psi[a] - in[a];
    sum += out[a];
  }
  flux[i] += sum; // rests on what is not computed
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double all = 1;
  angles = 7 + argc;
  for (int step = 0; step < STEPS || all < 0.5; ++step) {
    double mine = 0;
    for (int i = 0; i < Cells; ++i) {
      mine += cell(i, step, rank);
      if (i % 8 == 0)
        sendAround(1 + visits[i] % 5);
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (all > 1e30)
      break;
  }
  sendAround(visits[7] % 5);
  MPI_Finalize();
}
