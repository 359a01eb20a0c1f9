// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: computations between calls, whose instructions do not depend on who runs the program.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double field[2][66][66];

static double relax(int from) {
  double change = 0;
  for (int i = 1; i < 65; ++i)
    for (int j = 1; j < 65; ++j) {
      double next = 0.25 * (field[from][i - 1][j] + field[from][i + 1][j] + field[from][i][j - 1] +
                            field[from][i][j + 1]);
      change = fmax(change, fabs(next - field[from][i][j]));
      field[!from][i][j] = next;
    }
  return change;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 66; ++i)
    for (int j = 0; j < 66; ++j)
      field[0][i][j] = field[1][i][j] = (i * 31 + j * 17 + rank) % 100;
  for (int step = 0; step < 20; ++step) {
    double change = relax(step % 2), most;
    MPI_Sendrecv(field[0][1], 66, MPI_DOUBLE, (rank + 1) % ranks, 0, field[0][65], 66, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&change, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  static int numbers[20000];
  unsigned seed = 1 + rank;
  for (int i = 0; i < 20000; ++i)
    numbers[i] = (int)((seed = seed * 1103515245u + 12345u) >> 8 & 0xffff);
  qsort(numbers, 20000, sizeof(int), compare);
  MPI_Barrier(MPI_COMM_WORLD);
  if (numbers[0] > numbers[19999])
    puts("not sorted");
  MPI_Finalize();
  return 0;
}
