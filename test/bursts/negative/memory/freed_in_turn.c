// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what was computed says in which of two places memory is freed; were that wrong, it would be freed twice.
// EXIT: 0
#include <mpi.h>
#include <stdlib.h>

static double field[400];

__attribute__((noinline)) static double scratch(int length) {
  double *space = calloc((size_t)length, sizeof(double)), sum = 0;
  for (int i = 0; i < length; ++i)
    space[i] = field[i % 400] + i;
  sum = space[length - 1];
  if (field[7] < 0)
    free(space);
  field[0] += sum * 1e-9;
  if (field[7] >= 0)
    free(space);
  return sum;
}

int main(int argc, char **argv) {
  double in[100];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int step = 0; step < 8; ++step) {
    for (int round = 0; round < 5; ++round)
      for (int i = 1; i < 400; ++i)
        field[i] = field[i - 1] * 0.5 - 3 + (i * step) % 7;
    scratch(100 + ranks);
    MPI_Sendrecv(field, 100, MPI_DOUBLE, (rank + 1) % ranks, 0, in, 100, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
