// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the type lies in a structure, and is one of numbers first, of counts then.
#include "../../ring.h"
#include <stdlib.h>

struct Solver {
  MPI_Datatype type;
  double step;
  int count;
};

static double field[N];

__attribute__((noinline)) static void agree(struct Solver *solver, const void *mine, void *all) {
  MPI_Allreduce(mine, all, 1, solver->type, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Solver *solver = calloc(1, sizeof *solver);
  double first = 0.5;
  solver->type = MPI_DOUBLE;
  agree(solver, &first, &solver->step);
  solver->type = MPI_INT;
  for (int step = 0; step < STEPS; ++step) {
    int above = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + solver->step * noise(i, step, rank);
      above += field[i] > 0.5;
    }
    agree(solver, &above, &solver->count);
    sendAround(solver->count % MOST);
  }
  free(solver);
  MPI_Finalize();
}
