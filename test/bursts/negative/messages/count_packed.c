// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count travels in a packed message, between floating-point data.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    char out[256], in[256];
    int mine = 0, theirs = 0, position = 0;
    double energy = step;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine += noise(i, step, rank) < 0.4;
    MPI_Pack(&energy, 1, MPI_DOUBLE, out, sizeof out, &position, MPI_COMM_WORLD);
    MPI_Pack(&mine, 1, MPI_INT, out, sizeof out, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(out, position, MPI_PACKED, (rank + 1) % ranks, 5, in, sizeof in, MPI_PACKED,
                 (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    position = 0;
    MPI_Unpack(in, sizeof in, &position, &energy, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Unpack(in, sizeof in, &position, &theirs, 1, MPI_INT, MPI_COMM_WORLD);
    sendAround(theirs);
  }
  MPI_Finalize();
}
