// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes for a while, with many calls of MPI, at which the runtime looks at its core.
#include <mpi.h>

#ifndef STEPS
#define STEPS 300
#endif

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double x = argc;
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < 1000000; i++)
      x = x * 0.999999 + 1;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return x < 0;
}
