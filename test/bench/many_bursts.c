/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nothing but instances of a small burst, in a loop that communicates in its last turn: what
 * skipping one costs is the run's CPU time over their number (bursts.py, table `overhead`).
 */
#include <mpi.h>
#include <stdlib.h>

static double field[4096];

__attribute__((noinline)) static void sweep(double factor) {
  for (int i = 0; i < 4096; ++i)
    field[i] = factor * field[i] + 1;
}

int main(int argc, char **argv) {
  long instances = argc > 1 ? atol(argv[1]) : 10000000;
  MPI_Init(&argc, &argv);
  for (long i = 0; i < instances; ++i) {
    sweep(0.5);
    if (i + 1 == instances)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
