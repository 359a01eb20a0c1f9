/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranks have parts of one grid, the smaller the more ranks there are. Sweeps over it go on until what changes is small.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

enum { Cells = 240000 };

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int cells = Cells / ranks;
  double *u = malloc(sizeof *u * (cells + 2)), *next = malloc(sizeof *next * (cells + 2));
  for (int i = 0; i < cells + 2; ++i)
    u[i] = next[i] = (rank * cells + i) % 100;
  for (double change = 1; change > 0.35;) {
    double mine = 0;
    for (int i = 1; i <= cells; ++i) {
      next[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
      mine = fmax(mine, fabs(next[i] - u[i]));
    }
    for (int i = 1; i <= cells; ++i)
      u[i] = next[i];
    MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  free(u);
  free(next);
  MPI_Finalize();
}
