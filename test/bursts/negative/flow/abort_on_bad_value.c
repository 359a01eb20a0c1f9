// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the program checks what bursts computed and aborts on a bad value; skipping must not make
// values bad.
#include "../../ring.h"

static double volume[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < N; ++i)
      volume[i] = 1 + noise(i, step, rank);
    for (int i = 0; i < N; ++i)
      if (volume[i] < 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    sendAround(10 + step);
  }
  MPI_Finalize();
}
