// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a local variable that one loop computes, by reference, is where the next one reads: that
// one must not run on what was not computed.
#include "../ring.h"

static double field[20000];

__attribute__((noinline)) static void findLargest(const double *values, int count, int *place) {
  for (int i = 0; i < count; ++i)
    if (values[i] > values[*place])
      *place = i;
}

__attribute__((noinline)) static double sumBehind(const double *values, int count, const int *place) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[*place + i];
  return sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double sum = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    int place;
    place = 0;
    for (int i = 0; i < 20000; ++i)
      field[i] = noise(i, step, rank);
    findLargest(field, 10000, &place);
    field[0] = sum;
    int behind = 1 << 30;
    for (int i = 0; i < 20000; ++i)
      if (i == place)
        behind = i;
    int *volatile unused = 0;
    (void)unused;
    sum += sumBehind(field, 10000, &behind);
    sendAround(3);
  }
  if (sum < 0)
    sendAround(4);
  MPI_Finalize();
}
