// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: ranks that spin while others have not run since their last call are found too, and named
// with their lines.
#include <mpi.h>

volatile int stop;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  while (!stop)
    ;
  MPI_Finalize();
  return 0;
}
