// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whether a folder is made rests on a sum; whether it can be removed decides a message's size. Nothing is read.
#include "../../ring.h"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  char name[32];
  snprintf(name, sizeof name, "folder%d", rank);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    if (sum > 0)
      mkdir(name, 0700);
    sendAround(rmdir(name) == 0 ? 3 : 5);
  }
  MPI_Finalize();
}
