// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an array of structs has one count each and floating-point data beside it, written by the
// same loop.
#include "../../ring.h"

struct cell {
  double mass, velocity[3];
  int neighbours;
  float charge;
};

static struct cell cells[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // What becomes of the masses is of no concern; the neighbours are.
    for (int i = 0; i < N; ++i) {
      cells[i].mass = 0.9 * cells[i].mass + noise(i, step, rank);
      cells[i].velocity[step % 3] += 0.1 / (1 + cells[i].mass);
      cells[i].neighbours = (cells[i].neighbours + (int)(noise(i, step, rank) * 500)) % MOST;
      cells[i].charge = (float)cells[i].mass;
    }
    sendAround(cells[step * 5].neighbours);
  }
  MPI_Finalize();
}
