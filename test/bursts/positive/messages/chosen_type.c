// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a broadcast of one of two types of numbers, into a structure that holds addresses too, beside messages of a
// derived type.
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>

enum Kind { Whole, Real };

struct Settings {
  double threshold;
  FILE *log;
};

__attribute__((noinline)) static void share(void *data, int count, enum Kind kind) {
  int rank;
  MPI_Datatype type = kind == Whole ? MPI_INT : MPI_DOUBLE;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank)
    MPI_Recv(data, count, type, rank - 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank + 1 < ranks)
    MPI_Send(data, count, type, rank + 1, 9, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), ranks, steps = STEPS;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Settings settings = {1e-3, argc > 5 ? fopen(argv[1], "w") : stdout};
  double *out = calloc(2 * N, sizeof(double)), *in = calloc(2 * N, sizeof(double));
  MPI_Datatype row;
  MPI_Type_vector(N, 1, 2, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  share(&settings.threshold, 1, Real);
  share(&steps, 1, Whole);
  for (int step = 0; step < steps; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < 2 * N; ++i)
      out[i] = 0.5 * out[i] + in[i] * noise(i, step, rank);
    MPI_Sendrecv(out, 1, row, (rank + 1) % ranks, step, in, 1, row, (rank + ranks - 1) % ranks,
                 step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (settings.log != stdout)
    fclose(settings.log);
  MPI_Type_free(&row);
  MPI_Finalize();
}
