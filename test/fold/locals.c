// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local arrays: two fields of 2 MiB on the stack of a function that each step calls, which decide nothing, one of a fixed
// size and one of a computed one; and as large a table of counts, which does.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { Items = 1 << 18, Steps = 6 };

__attribute__((noinline)) static void update(double *to, const double *from, int items) {
  for (int i = 1; i < items - 1; ++i)
    to[i] = 0.5 * to[i] + 0.25 * (from[i - 1] + from[i + 1]);
}

__attribute__((noinline)) static double step(int items, int number, int rank, int ranks) {
  double now[Items];
  double next[items];
  memset(next, 0, sizeof next);
  for (int i = 0; i < Items; ++i)
    now[i] = i % (number + 2);
  update(next, now, items);
  MPI_Sendrecv(next, Items / 2, MPI_DOUBLE, (rank + 1) % ranks, 0, now, Items / 2, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return now[items / 2];
}

__attribute__((noinline)) static int chosen(int number, int rank) {
  int counts[2 * Items];
  for (int i = 0; i < 2 * Items; ++i)
    counts[i] = (i * 7 + number + rank) % 100;
  return counts[(number + 1) * 1000];
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double sum = 0;
  char pieces[100];
  for (int number = 0; number < Steps; ++number) {
    sum += step(Items * argc, number, rank, ranks);
    MPI_Sendrecv(pieces, chosen(number, rank), MPI_CHAR, (rank + 1) % ranks, 1, pieces, 100,
                 MPI_CHAR, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %g\n", sum);
  MPI_Finalize();
  return 0;
}
