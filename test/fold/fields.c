// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two fields of 2 MiB on each rank, which decide nothing, and as large a table of counts, which does.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Rows = 512, Columns = 512, Steps = 8, Entries = 1 << 18 };

static void update(double *to, const double *from) {
  for (int i = 1; i <= Rows; ++i)
    for (int j = 1; j < Columns - 1; ++j)
      to[i * Columns + j] = 0.25 * (from[(i - 1) * Columns + j] + from[(i + 1) * Columns + j] +
                                    from[i * Columns + j - 1] + from[i * Columns + j + 1]);
}

static void exchange(double *field, int rank, int size) {
  int up = (rank + 1) % size, down = (rank + size - 1) % size;
  MPI_Sendrecv(field + Rows * Columns, Columns, MPI_DOUBLE, up, 0, field, Columns, MPI_DOUBLE, down,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(field + Columns, Columns, MPI_DOUBLE, down, 1, field + (Rows + 1) * Columns, Columns,
               MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  size_t cells = (size_t)(Rows + 2) * Columns;
  double *now = malloc(cells * sizeof *now), *next = malloc(cells * sizeof *next);
  int *counts = malloc((size_t)Entries * argc * sizeof *counts);
  for (int i = 0; i < Entries * argc; ++i)
    counts[i] = 1 + i * 7 % 5;
  for (size_t i = 0; i < cells; ++i)
    now[i] = next[i] = (double)((i * 31 + (size_t)rank) % 1000);
  double sum = 0;
  for (int step = 0; step < Steps; ++step) {
    exchange(now, rank, size);
    update(next, now);
    double *swap = now;
    now = next;
    next = swap;
    // How much is sent is read from the table.
    MPI_Bcast(now, counts[step * 1000] % 3 + 100 * (step + 1), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  for (size_t i = 0; i < cells; ++i)
    sum += now[i];
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %g\n", sum);
  free(counts);
  free(next);
  free(now);
  MPI_Finalize();
  return 0;
}
