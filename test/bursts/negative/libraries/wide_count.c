// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number is printed as text of wide characters; how many that were, by the result and by "%n", decides messages'
// sizes.
#include "../../ring.h"
#include <wchar.h>

static double field[N], others[N];
static wchar_t text[64];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = -0.5 * N, other = sum;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      sum += field[i] = noise(i, step, rank);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      other += others[i] = noise(i, step + 99, rank);
    int count = 1;
    swprintf(text, 64, L"%.*f%n", (int)(sum + N) % 13, sum, &count);
    sendAround(count);
    sendAround(1 + swprintf(text, 64, L"%.*f", (int)(other + N) % 13, other));
  }
  MPI_Finalize();
}
