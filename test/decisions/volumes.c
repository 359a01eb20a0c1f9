/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Steps until the sum over all ranks is small. How long a rank computes in a step rests on its data, and is another time
 * in each of seven steps, which ranks take in another order: what a step takes is what the slowest rank takes.
 */
#include <mpi.h>

enum { N = 500, Kinds = 7 };
static double u[N], limits[Kinds];

/* Each number is made smaller until it is below the limit: so often that nobody knows before. */
static double shrink(const double *u, double limit) {
  double sum = 0;
  for (int i = 0; i < N; ++i) {
    double x = u[i];
    while (x > limit)
      x = 0.9 * x + 0.01 * limit;
    sum += x;
  }
  return sum / N;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; ++i)
    u[i] = 1 + (double)((i * 37 + rank * 11) % 100) / 100;
  limits[0] = 0.8;
  for (int kind = 1; kind < Kinds; ++kind)
    limits[kind] = limits[kind - 1] * 0.4;
  double sum = 1;
  for (int step = 0; sum > 1e-4; ++step) {
    double mine = shrink(u, limits[(step + 3 * (rank % 4)) % Kinds]);
    for (int kind = 0; kind < Kinds; ++kind)
      mine += limits[kind] * 1e-9;
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    sum *= 0.9 + all * 0.01;
  }
  MPI_Finalize();
}
