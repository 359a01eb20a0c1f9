// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank sends to the rank whose number it was sent; the number is the place of a maximum.
#include "../../ring.h"

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    double best = -1;
    int offset = 0, token = step;
    if (rank == 0)
      // EXPECT-RUN
      for (int i = 0; i < N; ++i)
        if (noise(i, step, rank) > best) {
          best = noise(i, step, rank);
          offset = i % ranks;
        }
    for (int to = 1; rank == 0 && to < ranks; ++to)
      MPI_Send(&offset, 1, MPI_INT, to, 3, MPI_COMM_WORLD);
    if (rank)
      MPI_Recv(&offset, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(&token, 1, MPI_INT, (rank + offset) % ranks, 4,
                         (rank + ranks - offset) % ranks, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
