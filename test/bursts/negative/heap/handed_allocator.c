// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop fills a block that was made by an allocator behind a pointer; another function, which got it from the same
// table, sends as much as it says.
#include "../../handed.h"
#include "../../ring.h"

__attribute__((noinline)) static struct Solver *makeSolver(const struct Functions *functions) {
  struct Solver *solver = functions->make(1, sizeof *solver);
  solver->functions = functions;
  solver->marks = functions->make(N, sizeof(int));
  solver->sizes = solver->marks + 100;
  return solver;
}

__attribute__((noinline)) static int sizeOf(const struct Solver *solver, int step) {
  return solver->sizes[step];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct Solver *solver = makeSolver(argc > 100 ? &roomy : &plain);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      solver->marks[i] = (int)(1000 * noise(i, step, rank)) + solver->marks[N - 1 - i] % 7;
    sendAround(sizeOf(solver, step));
  }
  solver->functions->end(solver->marks);
  solver->functions->end(solver);
  MPI_Finalize();
}
