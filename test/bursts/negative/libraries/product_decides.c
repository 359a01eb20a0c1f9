// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number of a product that a library computes decides a message's size.
// NATIVE: library_product_part.c
#include "../../ring.h"

void dgemm_(const char *transA, const char *transB, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

enum { SIZE = 16 };
static double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE], d[SIZE * SIZE];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const double one = 1, zero = 0;
  const int size = SIZE;
  for (int step = 0; step < STEPS; ++step) {
    for (int i = 0; i < SIZE * SIZE; ++i)
      a[i] = b[i] = noise(i, step, rank);
    // EXPECT-RUN: the count of MPI_Sendrecv
    dgemm_("N", "N", &size, &size, &size, &one, a, &size, b, &size, &zero, c, &size);
    // EXPECT-SKIP
    dgemm_("N", "N", &size, &size, &size, &one, b, &size, a, &size, &zero, d, &size);
    sendAround(1 + (int)(100 * c[SIZE + 1]));
  }
  MPI_Finalize();
}
