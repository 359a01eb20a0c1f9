// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: products of matrices by a library, at several sizes, whose results nobody needs.
// NATIVE: library_product_part.c
#include "../../ring.h"

void dgemm_(const char *transA, const char *transB, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

enum { SIZE = 96 };
static double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const double one = 1, half = 0.5;
  const int lead = SIZE;
  for (int i = 0; i < SIZE * SIZE; ++i)
    a[i] = b[i] = noise(i, 0, rank);
  for (int step = 0; step < 5 * STEPS; ++step) {
    int size = step % 2 ? SIZE : SIZE / 4;
    // EXPECT-SKIP: not frail
    dgemm_("N", "N", &size, &size, &size, &half, a, &lead, b, &lead, &one, c, &lead);
    MPI_Bcast(c, SIZE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
