/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounds until a field has come to rest, each of which works on it four times. Then, once, a rank counts its neighbours
 * in a table, and sends itself as many messages: one where there are two ranks, two in the middle of more. With an
 * argument it does so before the rounds as well.
 */
#include <mpi.h>

enum { Cells = 20000, Sides = 1000 };
static double field[Cells];
static int beside[Sides];

static double relax(void) {
  double most = 0;
  for (int i = 0; i < Cells; ++i) {
    field[i] *= 0.9;
    most = field[i] > most ? field[i] : most;
  }
  return most;
}

static int countNeighbours(void) {
  int count = 0;
  for (int i = 0; i < Sides; ++i)
    count += beside[i];
  return count / (Sides / 2);
}

__attribute__((noinline)) static void tellNeighbours(int rank) {
  int count = countNeighbours(), out = rank, in;
  for (int i = 0; i < count; ++i)
    MPI_Sendrecv(&out, 1, MPI_INT, rank, 0, &in, 1, MPI_INT, rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < Cells; ++i)
    field[i] = (double)(i % 100) / 100;
  for (int i = 0; i < Sides; ++i)
    beside[i] = i % 2 ? rank > 0 : rank + 1 < ranks;
  if (argc > 1)
    tellNeighbours(rank);
  double sum = 1;
  while (sum > 0.01) {
    double mine = 0;
    for (int again = 0; again < 4; ++again)
      mine = relax();
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  tellNeighbours(rank);
  MPI_Finalize();
}
