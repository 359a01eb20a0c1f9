// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a library makes all its memory by an allocator that it is handed: what decides about messages is another block than
// the marks that its loops set.
#include "../../handed.h"
#include "../../ring.h"

__attribute__((noinline)) static struct Solver *makeSolver(const struct Functions *functions) {
  struct Solver *solver = functions->make(1, sizeof *solver);
  solver->functions = functions;
  solver->sizes = functions->make(STEPS * 3, sizeof(int));
  solver->marks = functions->make(N, sizeof(int));
  for (int step = 0; step < STEPS * 3; ++step)
    solver->sizes[step] = 3 + step;
  return solver;
}

__attribute__((noinline)) static void endSolver(struct Solver *solver) {
  const struct Functions *functions = solver->functions;
  functions->end(solver->sizes);
  functions->end(solver->marks);
  functions->end(solver);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Solver *solver = makeSolver(argc > 100 ? &roomy : &plain);
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      solver->marks[i] = (int)(1000 * noise(i, step, rank)) + solver->marks[N - 1 - i] % 7;
    sendAround(solver->sizes[step]);
  }
  endSolver(solver);
  MPI_Finalize();
}
