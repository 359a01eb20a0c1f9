// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the type of the numbers lies in a structure, beside the time step that is received as such and the count that decides,
// behind integers that MPI writes.
#include "../ring.h"
#include <stdlib.h>

struct Solver {
  int dims[2], periods[2], place[2];
  MPI_Datatype real;
  double step;
  int count;
  MPI_Comm grid;
};

static double field[N];

__attribute__((noinline)) static void arrange(struct Solver *solver, int ranks) {
  int dims[2] = {ranks, 1}, periods[2] = {1, 1};
  solver->real = sizeof solver->step == 4 ? MPI_FLOAT : MPI_DOUBLE;
  solver->count = 7;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &solver->grid);
  MPI_Cart_get(solver->grid, 2, solver->dims, solver->periods, solver->place);
}

__attribute__((noinline)) static void agree(struct Solver *solver, double mine) {
  MPI_Allreduce(&mine, &solver->step, 1, solver->real, MPI_MIN, solver->grid);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Solver *solver = calloc(1, sizeof *solver);
  arrange(solver, ranks);
  for (int step = 0; step < STEPS; ++step) {
    double least = 1;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + solver->step * noise(i, step, rank);
      least = field[i] < least ? field[i] : least;
    }
    agree(solver, least);
    sendAround(solver->count);
  }
  free(solver);
  MPI_Finalize();
}
