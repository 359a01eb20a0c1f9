// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: structs that hold a count are sent as bytes.
#include "../../ring.h"

struct cell {
  double value[3];
  int count;
};

int main(int argc, char **argv) {
  static struct cell out[N], in[N];
  int rank = startRank(&argc, &argv), ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      out[i].count = (int)(noise(i, step, rank) * MOST);
    MPI_Sendrecv(out, sizeof out, MPI_BYTE, (rank + 1) % ranks, 5, in, sizeof in, MPI_BYTE,
                 (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sendAround(in[step].count);
  }
  MPI_Finalize();
}
