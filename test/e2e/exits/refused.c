// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program that does not look whether it was given memory ends where it uses it, and what was refused, and by
// which limit, is said.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int block = 0; block < 1000; ++block) {
    volatile double *numbers = malloc(100 << 20);
    numbers[block] = block;
    if (numbers[block] < 0)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
