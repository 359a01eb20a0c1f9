// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a library hands over an operation of its own, which counts what it is given; the count is a message's size.
// SHARED: operation_of_library_part.c
#include "../../ring.h"

MPI_Op countingOperation(void);
int counted(void);

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double mine[4] = {0}, all[4] = {0};
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine[i % 4] += noise(i, step, rank) < 0.4;
    MPI_Reduce_local(mine, all, 4, MPI_DOUBLE, countingOperation());
    sendAround(counted());
  }
  MPI_Finalize();
}
