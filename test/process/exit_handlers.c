// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: exit ends the rank alone: its atexit handlers run in reverse, the other ranks go on.
#include "Check.h"

static int mine = -1;
static void last(void) { printf("rank %d: last handler\n", mine); }
static void first(void) { printf("rank %d: first handler\n", mine); }

static void finish(int rank) {
  MPI_Finalize();
  if (rank == 0)
    exit(0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  mine = worldRank();
  atexit(last);
  atexit(first);
  finish(mine);
  printf("rank %d: goes on\n", mine);
  if (mine == 2)
    _Exit(0); // without handlers
  return 0;
}
