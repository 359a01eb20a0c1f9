// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the receiver learns a computed size from MPI_Probe and passes it on.
#include "../../ring.h"
#include <stdlib.h>

int main(int argc, char **argv) {
  static double out[MOST];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, size;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.4;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(out, count, MPI_DOUBLE, (rank + 1) % ranks, 1, MPI_COMM_WORLD, &request);
    MPI_Probe((rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &size);
    double *in = malloc((size_t)size * sizeof(double) + 1);
    MPI_Recv(in, size, MPI_DOUBLE, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(in);
    sendAround(size);
  }
  MPI_Finalize();
}
