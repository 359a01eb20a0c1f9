// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a search without bounds through an array that a loop filled must find its sentinel; its
// result decides nothing.
#include "../../ring.h"

static int data[N + 1];
static double found;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < N; ++i)
      data[i] = (int)(noise(i, step, rank) * 1000);
    for (int i = N; i >= N - step % 3; --i)
      data[i] = -1 - step;
    int *place = data;
    while (*place != -1 - step)
      ++place;
    found += (double)(place - data);
    sendAround(30);
  }
  MPI_Finalize();
}
