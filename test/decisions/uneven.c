/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounds until a field has come to rest, which all ranks find alike. Beside it each rank moves particles, and sends those
 * that leave: another number on each rank. What counts them also sorts them into boxes, by numbers that a third loop
 * makes; before the first round, these lie far outside.
 */
#include <mpi.h>
#include <stdlib.h>

enum { Cells = 20000, Particles = 500, Boxes = 64 };
static double field[Cells], place[Particles], speed[Particles], out[Particles], in[Particles];
static int boxOf[Particles], filled[Boxes];

static void makeParticles(int rank) {
  for (int i = 0; i < Particles; ++i) {
    place[i] = (double)((i * 37 + rank * 11) % 100) / 100;
    speed[i] = (double)((i * 53 + rank * 29) % 100) / 1000;
    boxOf[i] = 1 << 28;
  }
}

static double relax(void) {
  double most = 0;
  for (int i = 0; i < Cells; ++i) {
    field[i] *= 0.9;
    most = field[i] > most ? field[i] : most;
  }
  return most;
}

static void chooseBoxes(void) {
  for (int i = 0; i < Particles; ++i)
    boxOf[i] = (int)(speed[i] * 640) % Boxes;
}

static int move(void) {
  int leaving = 0;
  for (int i = 0; i < Particles; ++i) {
    place[i] += speed[i];
    filled[boxOf[i]]++;
    if (place[i] > 1) {
      out[leaving++] = place[i];
      place[i] -= 1;
    }
  }
  return leaving;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeParticles(rank);
  for (int i = 0; i < Cells; ++i)
    field[i] = (double)(i % 100) / 100;
  double sum = 1;
  while (sum > 0.01) {
    double mine = relax();
    chooseBoxes();
    int leaving = move();
    MPI_Sendrecv(out, leaving, MPI_DOUBLE, (rank + 1) % ranks, 0, in, Particles, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
