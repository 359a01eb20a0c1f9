// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is read again in a loop, since what the loop writes might be the count, and behind it, where a branch
// lies between: the optimiser chooses between all these readings. Behind the skipped loop it is the count all the same.
#include "../../ring.h"
#include <stdlib.h>

int count;
int *first, *second, made[4];

__attribute__((weak)) void *allocate(size_t bytes) { // weak: as in another file
  return bytes == 0 ? NULL : calloc(1, bytes);
}

__attribute__((noinline)) int compress(void) {
  first = (int *)allocate((size_t)count * sizeof(int));
  // EXPECT-SKIP
  for (int i = 0; i < count; i++)
    first[i] = 0;
  if (made[1]) {
    free(second);
    second = NULL;
    made[1] = 0;
  }
  second = (int *)allocate((size_t)count * sizeof(int));
  if (!second)
    return 1;
  free(first);
  made[1] = 1;
  return 0;
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  count = N - argc;
  for (int step = 0; step < STEPS; ++step)
    sendAround(compress() ? 7 : 64);
  MPI_Finalize();
}
