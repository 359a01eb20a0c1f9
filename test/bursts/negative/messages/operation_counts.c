// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an operation of the user's own counts, in a global variable, what it sees in
// floating-point data.
#include "../../ring.h"

static double field[N], sums[N];
static int seen;

static void addAndCount(void *in, void *inout, int *length, MPI_Datatype *type) {
  const double *left = in;
  double *right = inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    seen += left[i] > 0.6;
    right[i] += left[i];
  }
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  MPI_Op op;
  MPI_Op_create(addAndCount, 1, &op);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      field[i] = noise(i, step, rank);
    MPI_Allreduce(field, sums, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
    sendAround(seen % MOST);
  }
  MPI_Op_free(&op);
  MPI_Finalize();
}
