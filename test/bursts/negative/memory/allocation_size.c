// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop computes how much is allocated; code that always runs writes the whole of it.
#include "../../ring.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int size = 1;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      size += noise(i, step, rank) < 0.7;
    double *data = malloc((size_t)size * sizeof(double));
    for (int i = 0; i < size; ++i)
      data[i] = i;
    static double in[MOST];
    MPI_Sendrecv(data, size, MPI_DOUBLE, (rank + 1) % ranks, 1, in, MOST, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(data);
  }
  MPI_Finalize();
}
