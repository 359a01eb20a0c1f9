// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a counter is raised in a function that is only reached through a pointer; the counter is
// a message's size.
#include "../../ring.h"

static int hits;

static void count(double value) { hits += value < 0.25; }
static void ignore(double value) { (void)value; }

__attribute__((noinline)) static void visit(void (*visitor)(double), int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    visitor(noise(i, step, rank));
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    hits = 0;
    visit(argc > 1 ? ignore : count, step, rank);
    sendAround(hits);
  }
  MPI_Finalize();
}
