// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the colour and the key of a new communicator are computed by a loop.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    unsigned hash = 17;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      hash = hash * 31 + (unsigned)(noise(i, step, rank) * 64);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, (int)(hash >> 16 & 1), (int)(hash >> 8 & 255), &part);
    double value = rank, sum;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, part);
    MPI_Comm_free(&part);
  }
  MPI_Finalize();
}
