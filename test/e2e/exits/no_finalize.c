// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that returns without MPI_Finalize is an error with a text, not a success.
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  return 0;
}
