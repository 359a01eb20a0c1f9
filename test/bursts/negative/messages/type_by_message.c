// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a structure comes by a message as bytes, with the type in it that is handed to MPI then.
#include "../../ring.h"
#include <stdlib.h>

struct Solver {
  MPI_Datatype type;
  int count;
};

static double field[N];

__attribute__((noinline)) static void agree(struct Solver *solver, const void *mine) {
  MPI_Allreduce(mine, &solver->count, 1, solver->type, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Solver *solver = calloc(1, sizeof *solver), told;
  solver->type = MPI_DOUBLE;
  told.type = MPI_INT;
  told.count = 0;
  if (rank == 0)
    MPI_Sendrecv(&told, sizeof told, MPI_BYTE, 0, 3, solver, sizeof *solver, MPI_BYTE, 0, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(solver, sizeof *solver, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int step = 0; step < STEPS; ++step) {
    int above = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      above += field[i] > 0.5;
    }
    agree(solver, &above);
    sendAround(solver->count % MOST);
  }
  free(solver);
  MPI_Finalize();
}
