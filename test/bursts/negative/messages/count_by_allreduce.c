// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the greatest of all ranks' counts becomes a message's size.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0, most;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    sendAround(most);
  }
  MPI_Finalize();
}
