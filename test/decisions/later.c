/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the loop computes decides once, before the time loop, and never again: it may be skipped from then on, and with
 * decisions from the start.
 */
#include <mpi.h>

enum { N = 20000 };
static double u[N];

static void smooth(void) {
  for (int i = 0; i < N; ++i)
    u[i] = 0.5 * u[i] + i;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  smooth();
  int count = u[rank] > 3 ? 7 : 5;
  MPI_Bcast(u, count, MPI_DOUBLE, 0, MPI_COMM_SELF);
  for (int step = 0; step < 50; ++step) {
    smooth();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
