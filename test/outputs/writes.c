// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what the tests of outputs run: prints a line, then does as its first argument says.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What --bursts has a row of.
static double compute(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i)
    sum += 1.0 / i;
  return sum;
}

static void manyCalls(int count) {
  for (int i = 0; i < count; ++i)
    MPI_Allreduce(MPI_IN_PLACE, &(double){i}, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// Lines of 100 bytes, from 0 on, without a call of MPI between them.
static void manyLines(int rank, long megabytes) {
  for (long i = 0; i < megabytes * 10000; ++i)
    printf("%d %096ld\n", rank, i);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *what = argc > 1 ? argv[1] : "";
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(what, "lines"))
    printf("rank %d has started\n", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double sum = compute(argc + 100000);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(what, "abort"))
    MPI_Abort(MPI_COMM_WORLD, 5);
  if (!strcmp(what, "spin")) {
    printf("spinning\n");
    fflush(stdout);
    for (;;)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  if (!strcmp(what, "calls"))
    manyCalls(atoi(argv[2]));
  if (!strcmp(what, "lines"))
    manyLines(rank, atol(argv[2]));
  if (!strcmp(what, "file")) { // more than any limit of the tests
    FILE *file = fopen(argv[2], "w");
    for (int i = 0; i < 100000; ++i)
      if (fprintf(file, "%096d\n", i) < 0 || fflush(file))
        break;
  }
  if (sum < 0)
    printf("never\n");
  MPI_Finalize();
  return 0;
}
