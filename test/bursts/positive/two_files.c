// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: kernels in another file are seen not to communicate.
// WITH: two_files_kernels.c
#include "../ring.h"

void advance(double *field, int size, double factor);
double norm(const double *field, int size);

static double field[30000];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double sum = rank;
  for (int step = 0; step < 5 * STEPS; ++step) {
    advance(field, 30000, sum);
    double mine = norm(field, 30000);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
