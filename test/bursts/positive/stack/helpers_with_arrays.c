// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: helpers with local arrays, and with an array that they make and free, are called in the kernel, when its data
// say so, and where counts are made. What they keep there is theirs.
#include "../../ring.h"
#include <stdlib.h>
#include <string.h>

enum { ROOM = 16 };

static double field[N];

/// The number of ones in it, by digits.
__attribute__((noinline)) static int onesIn(unsigned value) {
  unsigned char digits[32];
  memset(digits, 0, sizeof digits);
  for (int i = 0; i < 32; ++i)
    digits[i * 7 % 32] = (unsigned char)(value >> i & 1);
  int ones = 0;
  for (int i = 0; i < 32; ++i)
    ones += digits[i];
  return ones;
}

/// The value in the middle of three.
__attribute__((noinline)) static int middleOf(int first, int second, int third) {
  int *values = malloc(ROOM * sizeof *values);
  values[0] = first;
  values[1] = second;
  values[2] = third;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 - i; ++j)
      if (values[j] > values[j + 1]) {
        const int other = values[j];
        values[j] = values[j + 1];
        values[j + 1] = other;
      }
  const int middle = values[1];
  free(values);
  return middle;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double sum = 0;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      field[i] = 0.5 * field[i] + noise(i, step, rank);
      if (field[i] > 0.9)
        sum += onesIn((unsigned)(field[i] * 1000)) + middleOf(step, (int)sum, 3);
    }
    sendAround(1 + onesIn((unsigned)step * 77) + middleOf(step, 5, 3));
  }
  MPI_Finalize();
}
