// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a local variable that one loop writes by reference is where the next one reads, at
// another size each time: that one must not run on what was not computed.
#include "../../ring.h"
#include <stdio.h>

static double field[30000];

__attribute__((noinline)) static void note(int *place, int i) { *place = i; }

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double sum = 0;
  int place = 0;
  for (int i = 0; i < 30000; ++i)
    field[i] = noise(i, 0, rank);
  for (int step = 0; step < STEPS; ++step) {
    note(&place, 1 << 30);
    // EXPECT-SKIP
    for (int i = 0; i < 10000 * argc; ++i) {
      sum += field[i];
      note(&place, i);
    }
    // EXPECT-SKIP
    for (int i = 0; i < 4 << step; ++i)
      sum += field[place + i];
    sendAround(3);
  }
  printf("%g\n", sum);
  MPI_Finalize();
}
