// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a structure on the heap has an array of vectors' addresses, of which a computed index chooses, and behind it what
// says how much is sent: compiled with optimisations, too, these are not one.
#include "../ring.h"
#include <stdlib.h>

enum { ORDER = 13 };

struct Vector {
  int length;
  double *values;
};
struct Solver {
  int order;
  struct Vector *history[ORDER];
  struct Vector *limits;
};

static struct Vector *makeVector(int length) {
  struct Vector *vector = malloc(sizeof *vector);
  vector->length = length;
  vector->values = calloc(length, sizeof(double));
  return vector;
}

__attribute__((noinline)) static void advance(struct Solver *solver, int step, int rank) {
  for (int j = 1; j <= solver->order; ++j) {
    struct Vector *vector = solver->history[j], *before = solver->history[j - 1];
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i)
      vector->values[i] = 0.5 * vector->values[i] + before->values[i] + noise(i, step, rank);
    MPI_Bcast(vector->values, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Solver *solver = malloc(sizeof *solver);
  solver->order = argc + 3;
  for (int j = 0; j < ORDER; ++j)
    solver->history[j] = makeVector(N);
  solver->limits = makeVector(1);
  solver->limits->values[0] = 7;
  for (int step = 0; step < STEPS; ++step) {
    advance(solver, step, rank);
    sendAround((int)solver->limits->values[0] + step);
  }
  MPI_Finalize();
}
