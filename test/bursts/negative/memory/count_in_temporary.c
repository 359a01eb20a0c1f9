// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a loop leaves in memory that it makes and frees itself becomes a count; that memory is made, then.
#include <mpi.h>
#include <stdlib.h>

__attribute__((noinline)) static int most(int length, int step) {
  int found = 1;
  // EXPECT-RUN
  for (int round = 0; round < 3; ++round) {
    int *counts = malloc((size_t)length * sizeof(int));
    for (int i = 0; i < length; ++i)
      counts[i] = (i * 7 + round * step) % 19 + 1;
    for (int i = 0; i < length; ++i)
      found = (found + counts[i] * counts[length - 1 - i]) % 23 + 1;
    free(counts);
  }
  return found;
}

int main(int argc, char **argv) {
  double out[100] = {0}, in[100];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 8; ++step) {
    int count = most(500 + ranks, step);
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % ranks, 0, in, 100, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
