/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * For the programs here: a failed check names itself and ends the run with 1. */
#pragma once
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      int rank_;                                                                                   \
      MPI_Comm_rank(MPI_COMM_WORLD, &rank_);                                                       \
      fprintf(stderr, "%s:%d: rank %d: not true: %s\n", __FILE__, __LINE__, rank_, #condition);    \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)

static int worldRank(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int worldSize(void) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/* Every other rank runs in between. */
static void others(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void passed(const char *name) {
  others();
  if (worldRank() == 0)
    printf("%s: PASSED\n", name);
  (void)worldSize;
}
