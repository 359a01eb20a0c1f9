// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a buffer of bytes begins with a count and goes on with floating-point data; the receiver
// believes the count.
#include "../../ring.h"
#include <stdlib.h>

struct message {
  int count;
  double data[];
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct message *out = calloc(1, sizeof(struct message) + N * sizeof(double));
  struct message *in = calloc(1, sizeof(struct message) + N * sizeof(double));
  for (int step = 0; step < STEPS; ++step) {
    out->count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.5)
        out->data[out->count++] = noise(i, step, rank);
    MPI_Sendrecv(out, (int)sizeof *out + N * 8, MPI_BYTE, (rank + 1) % ranks, 1, in,
                 (int)sizeof *in + N * 8, MPI_BYTE, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sendAround(in->count);
  }
  free(out);
  free(in);
  MPI_Finalize();
}
