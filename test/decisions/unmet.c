/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounds until a field has come to rest. Each also puts the cells into another order, which nobody reads without an
 * argument: whoever does finds cells by it.
 */
#include <mpi.h>

enum { Cells = 20000 };
static double field[Cells];
static int order[Cells];

static double relax(void) {
  double most = 0;
  for (int i = 0; i < Cells; ++i) {
    field[i] *= 0.7;
    most = field[i] > most ? field[i] : most;
  }
  return most;
}

static void turn(void) {
  for (int i = 0; i < Cells; ++i)
    order[i] = (order[i] + i) % Cells;
}

static double gather(void) {
  double sum = 0;
  for (int i = 0; i < Cells; ++i)
    sum += field[order[i]];
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < Cells; ++i)
    field[i] = (double)(i % 100) / 100;
  double sum = 1;
  while (sum > 0.01) {
    double mine = relax(), gathered = 0;
    turn();
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (argc > 1)
      gathered = gather();
    MPI_Bcast(&gathered, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
