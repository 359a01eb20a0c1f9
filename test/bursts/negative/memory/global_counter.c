// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a burst raises a global counter among other work; a much later test of it decides a
// message.
#include "../../ring.h"

static double field[N];
static long spikes;

__attribute__((noinline)) static void update(int step, int rank) {
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, rank);
    if (field[i] > 1.6)
      ++spikes;
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    update(step, rank);
    sendAround(10);
  }
  long most;
  MPI_Allreduce(&spikes, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  for (long i = 0; i < most % 50; ++i)
    sendAround(20);
  MPI_Finalize();
}
