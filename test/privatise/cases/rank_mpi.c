/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * rank.h on MPI, for `gnomon run`. The constructor makes cases need no MPI_Init of their own. */
#include "rank.h"

#include <mpi.h>
#include <stdlib.h>

static void ensureInitialized(void) {
  int initialized;
  MPI_Initialized(&initialized);
  if (!initialized) {
    MPI_Init(NULL, NULL);
    atexit((void (*)(void))MPI_Finalize);
  }
}

int rank_number(void) {
  int rank;
  ensureInitialized();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int rank_count(void) {
  int size;
  ensureInitialized();
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void rank_switch(void) {
  ensureInitialized();
  MPI_Barrier(MPI_COMM_WORLD);
}
