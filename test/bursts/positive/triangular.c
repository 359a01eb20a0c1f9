// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: LU factorisation without pivoting: each instance of the update is smaller than the one
// before.
#include "../ring.h"

enum { SIDE = 240 };

static double a[SIDE][SIDE];

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int i = 0; i < SIDE; ++i)
    a[i][i] = 2;
  for (int k = 0; k < SIDE; ++k) {
    // EXPECT-SKIP
    for (int i = k + 1; i < SIDE; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < SIDE; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
    sendAround(SIDE - k);
  }
  MPI_Finalize();
}
