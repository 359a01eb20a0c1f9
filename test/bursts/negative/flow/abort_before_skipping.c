// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program that aborts by its own fault in the first step still does so.
// EXIT: 6
#include "../../ring.h"

static double volume[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < N; ++i)
      volume[i] = noise(i, step, rank) - 0.001;
    for (int i = 0; i < N; ++i)
      if (volume[i] < 0)
        MPI_Abort(MPI_COMM_WORLD, 6);
    sendAround(10 + step);
  }
  MPI_Finalize();
}
