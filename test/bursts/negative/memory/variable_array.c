// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an array on the stack is as long as a loop counted; all of it is written and sent.
#include "../../ring.h"

__attribute__((noinline)) static void fillAndSend(int size) {
  double data[size];
  int rank, ranks;
  static double in[MOST];
  for (int i = 0; i < size; ++i)
    data[i] = i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(data, size, MPI_DOUBLE, (rank + 1) % ranks, 1, in, MOST, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int size = 1;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      size += noise(i, step, rank) < 0.4;
    fillAndSend(size);
  }
  MPI_Finalize();
}
