// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: memory that a loop makes and frees is known elsewhere meanwhile: another function reads counts there.
#include <mpi.h>
#include <stdlib.h>

static int *place;
static int best = 1;

__attribute__((noinline)) static void look(int index) { best = (best + place[index]) % 23 + 1; }

__attribute__((noinline)) static void fill(int length, int step) {
  // EXPECT-RUN
  for (int round = 0; round < 3; ++round) {
    int *counts = malloc((size_t)length * sizeof(int));
    place = counts;
    for (int i = 0; i < length; ++i)
      counts[i] = (i * 7 + round * step) % 19 + 1;
    for (int i = 0; i < length; ++i)
      look(i);
    free(counts);
  }
}

int main(int argc, char **argv) {
  double out[100] = {0}, in[100];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 8; ++step) {
    fill(500 + ranks, step);
    MPI_Sendrecv(out, best, MPI_DOUBLE, (rank + 1) % ranks, 0, in, 100, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
