// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is received as one of two types of numbers, of which the program chooses the whole ones.
#include "../../ring.h"

__attribute__((noinline)) static void pass(void *out, void *in, int whole) {
  int rank, ranks;
  MPI_Datatype type = whole ? MPI_INT : MPI_DOUBLE;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Sendrecv(out, 1, type, (rank + 1) % ranks, 9, in, 1, type, (rank + ranks - 1) % ranks, 9,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int mine = 0, theirs;
    double sum = 0, other;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      mine += noise(i, step, rank) < 0.4;
      sum += noise(i, step, rank);
    }
    pass(&mine, &theirs, 1);
    pass(&sum, &other, 0);
    sendAround(theirs);
  }
  MPI_Finalize();
}
