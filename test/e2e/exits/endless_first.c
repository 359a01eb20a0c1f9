// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that spins while others have not run since their last call is stopped too, and
// named with its line.
#include <mpi.h>

volatile int stop;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  while (!stop)
    ;
  MPI_Finalize();
  return 0;
}
