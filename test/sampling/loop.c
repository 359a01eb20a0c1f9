// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: with --sample the hooks skip most instances and the ranks' clocks go on as if all had
// been executed.
#include "Burst.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static struct gnomon_burst burst __attribute__((gnomon_shared)) = {.name = "sum",
                                                                   .function = "main",
                                                                   .file = "loop.c",
                                                                   .line = 20,
                                                                   .flags = GNOMON_BURST_SKIPPABLE,
                                                                   .flops = -1};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, executed = 0, instances = argc > 1 ? atoi(argv[1]) : 50;
  long n = argc > 2 ? atol(argv[2]) : 1000000;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double begin = MPI_Wtime();
  for (int i = 0; i < instances; ++i) {
    if (gnomon_burst_begin(&burst, (uint64_t)n)) {
      ++executed;
      compute(n);
    }
    gnomon_burst_end(&burst);
    if (i % 10 == 9)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  double seconds = MPI_Wtime() - begin;
  printf("rank %d: %d of %d executed, %.6f s\n", rank, executed, instances, seconds);
  MPI_Finalize();
  return 0;
}
