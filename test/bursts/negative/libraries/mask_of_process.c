// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a signal is blocked rests on a sum; the process's mask, asked for again, decides a message's size.
#include "../../ring.h"
#include <signal.h>
#include <stddef.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN: sigprocmask
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    sigset_t set, now;
    sigemptyset(&set);
    if (sum > 0)
      sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_SETMASK, &set, NULL);
    sigprocmask(SIG_SETMASK, NULL, &now);
    sendAround(sigismember(&now, SIGUSR1) ? 2 : 3);
  }
  MPI_Finalize();
}
