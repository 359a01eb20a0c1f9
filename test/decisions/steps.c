/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounds until the sum of what each rank computes is small; with the argument `uneven`, each rank also sends as many numbers
 * as it finds in its data, which is another count on each. The first number is how fast the sum shrinks.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000 };
static double u[N], out[N], in[N];

static int count(double limit) {
  int found = 0;
  for (int i = 0; i < N; ++i)
    if (u[i] > limit)
      out[found++] = u[i];
  return found;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double factor = argc > 1 ? atof(argv[1]) : 0.9, sum = 1;
  int uneven = argc > 2 && strcmp(argv[2], "uneven") == 0;
  for (int i = 0; i < N; ++i)
    u[i] = (double)((i * 37 + rank * 11) % 100) / 100;
  while (sum > 0.01) {
    double mine = 0;
    for (int i = 0; i < N; ++i) {
      u[i] *= factor;
      mine += u[i] / N;
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (uneven)
      MPI_Sendrecv(out, count(0.02 * (rank + 1)), MPI_DOUBLE, (rank + 1) % ranks, 0, in, N,
                   MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
