// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a failed assertion ends the run with 134 and names the rank; what it printed before comes
// out.
#include "Check.h"
#include <assert.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  printf("rank %d was here\n", rank);
  others();
  assert(rank != 1);
  others();
  MPI_Finalize();
  return 0;
}
