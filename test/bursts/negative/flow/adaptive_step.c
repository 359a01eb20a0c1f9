// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the time step is the smallest of all ranks', and time decides when the program ends.
#include "../../ring.h"

static double speed[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), cycle = 0;
  for (double time = 0; time < 1; ++cycle) {
    double mine = 0.2, smallest;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      speed[i] = 0.5 * speed[i] + 5 + noise(i, cycle, rank);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (1 / speed[i] < mine)
        mine = 1 / speed[i];
    MPI_Allreduce(&mine, &smallest, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    time += smallest;
    sendAround(50);
  }
  MPI_Finalize();
}
