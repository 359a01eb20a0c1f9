// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count travels as a double, in the same array and reduction as physical data.
#include "../../ring.h"

static double field[N];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double mine[3] = {0}, sums[3];
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      mine[0] += field[i];
      mine[1] += field[i] * field[i];
      mine[2] += field[i] > 0.8;
    }
    MPI_Allreduce(mine, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sendAround((int)sums[2] % MOST);
  }
  MPI_Finalize();
}
