// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an operation of the user's own makes a count out of what loops computed.
#include "../../ring.h"

static void larger(void *in, void *inout, int *length, MPI_Datatype *type) {
  const int *left = in;
  int *right = inout;
  (void)type;
  for (int i = 0; i < *length; ++i)
    if (left[i] > right[i])
      right[i] = left[i];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  MPI_Op op;
  MPI_Op_create(larger, 1, &op);
  for (int step = 0; step < STEPS; ++step) {
    int mine[4] = {0}, all[4];
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      mine[i % 4] += noise(i, step, rank) < 0.4;
    MPI_Allreduce(mine, all, 4, MPI_INT, op, MPI_COMM_WORLD);
    sendAround(all[step % 4]);
  }
  MPI_Op_free(&op);
  MPI_Finalize();
}
