// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table with initial values of 1 MiB, which every rank reads and every eighth rank writes to, and small globals. Every
// rank checks what it reads.
#include <mpi.h>
#include <stdio.h>

enum { LENGTH = 1 << 18, MARK = LENGTH / 2 };

static int table[LENGTH] = {[0 ... MARK - 1] = 7, [MARK] = 11, [MARK + 1 ... LENGTH - 1] = 7};
static int small[4] = {1, 2, 3, 4};
static int *into_table = &table[MARK];

static long sum(void) {
  long all = 0;
  for (int i = 0; i < LENGTH; ++i)
    all += table[i];
  return all;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long expected = 7L * LENGTH + 4, wrong = sum() != expected || *into_table != 11;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank % 8 == 0) {
    *into_table = 11 + rank;
    table[0] = rank;
    expected += rank + rank - 7;
  }
  small[rank % 4] += rank;
  MPI_Barrier(MPI_COMM_WORLD);
  wrong += sum() != expected || small[rank % 4] != 1 + rank % 4 + rank;
  long all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("tables: %s\n", all ? "FAILED" : "PASSED");
  MPI_Finalize();
  return 0;
}
