/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the C programs of this folder share: who this is, checks that name the line that fails, and
 * the end. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, failures;

static inline void check(int good, const char *what, int line) {
  if (good)
    return;
  ++failures;
  printf("rank %d WRONG: %s (line %d)\n", rank, what, line);
}
#define CHECK(x) check((x), #x, __LINE__)

static inline void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline int finish(const char *name) {
  int all = failures;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s: %s\n", name, all ? "FAILED" : "PASSED");
  MPI_Finalize();
  return all != 0;
}
