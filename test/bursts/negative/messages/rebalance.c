// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the same time loop runs twice; between the two, what the first computed decides how much
// each message holds.
#include "../../ring.h"

static double field[N];
static int halo = 10;

__attribute__((noinline)) static void advance(int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    field[i] = 0.5 * field[i] + noise(i, step, rank);
}

__attribute__((noinline)) static void run(int from, int to, int rank) {
  for (int step = from; step < to; ++step) {
    advance(step, rank);
    sendAround(halo);
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int part = 0; part < 3; ++part) {
    run(part * STEPS, (part + 1) * STEPS, rank);
    int large = 0;
    for (int i = 0; i < N; ++i)
      large += field[i] > 0.9;
    MPI_Allreduce(&large, &halo, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
