// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: how long a step is follows from the data, and with it how many there are: that the loop goes on is the one decision.
#include "../ring.h"

static double u[N], next[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int i = 0; i < N; ++i)
    u[i] = noise(i, 0, rank);
  double time = 0;
  while (time < 1) {
    double fastest = 0, all;
    for (int i = 0; i < N; ++i)
      fastest = u[i] > fastest ? u[i] : fastest;
    MPI_Allreduce(&fastest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double step = 0.02 / (all + 0.1);
    for (int i = 0; i < N; ++i)
      next[i] = u[i] + step * (u[(i + 1) % N] - u[i]);
    for (int i = 0; i < N; ++i)
      u[i] = next[i];
    time += step;
    sendAround(10);
  }
  MPI_Finalize();
}
