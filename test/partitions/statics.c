// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static functions and variables that call and use each other, a table of labels, a burst that may be skipped.
#include <mpi.h>
#include <stdio.h>

enum { Cells = 20000, Steps = 6 };
static double cells[Cells];
static _Thread_local int visits;
static int moves[4] = {1, 2, 0, 3};

__attribute__((noinline)) static double relax(double *cell, int count) {
  double change = 0;
  for (int i = 1; i + 1 < count; ++i) {
    const double next = 0.25 * (cell[i - 1] + 2 * cell[i] + cell[i + 1]);
    change += next > cell[i] ? next - cell[i] : cell[i] - next;
    cell[i] = next;
  }
  ++visits;
  return change;
}

__attribute__((noinline)) static void exchange(int rank, int ranks) {
  const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
  MPI_Sendrecv(&cells[Cells - 2], 1, MPI_DOUBLE, right, moves[0], &cells[0], 1, MPI_DOUBLE, left,
               moves[0], MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static int interpret(const char *code) {
  static void *const labels[] = {&&push, &&add, &&end};
  int value = 0;
#define NEXT goto *labels[*code++ - '0']
  NEXT;
push:
  value += 3;
  NEXT;
add:
  value += value;
  NEXT;
end:
  return value;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < Cells; ++i)
    cells[i] = (i * 7 + rank) % 13;
  double change = 0, all = 0;
  for (int step = 0; step < Steps; ++step) {
    change = relax(cells, Cells);
    exchange(rank, ranks);
  }
  MPI_Reduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  printf("%d: %d visits, %d, %.6f\n", rank, visits, interpret(rank ? "0012" : "012"), all);
  return MPI_Finalize();
}
