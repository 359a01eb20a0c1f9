// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: which function is called when a signal comes rests on a sum; what it stores decides a message's size.
#define _GNU_SOURCE
#include "../../ring.h"
#include <signal.h>
#include <string.h>

static double field[N];
static volatile sig_atomic_t count = 1;

static void storeFew(int number) { count = 2 + (number == 0); }
static void storeMany(int number) { count = 5 + (number == 0); }

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = sum > 0 ? storeMany : storeFew;
    sigaction(SIGUSR1, &action, &before);
    raise(SIGUSR1);
    sigaction(SIGUSR1, &before, NULL);
    sendAround(count);
  }
  MPI_Finalize();
}
