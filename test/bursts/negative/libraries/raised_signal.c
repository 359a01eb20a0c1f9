// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a signal is raised rests on a sum; what its handler notes decides a message's size.
#include "../../ring.h"
#include <signal.h>

static double field[N];
static volatile sig_atomic_t noted;

static void note(int number) { noted = number; }

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  signal(SIGUSR1, note);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    noted = 0;
    if (sum > 0)
      raise(SIGUSR1);
    sendAround(noted ? 3 : 5);
  }
  MPI_Finalize();
}
