// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: 16,384 ranks with 64 KiB of mutable globals each.
#include "Check.h"

static int table[16384] = {1, 2, 3};
static int *pointer = &table[2];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  CHECK(*pointer == 3);
  for (int i = 0; i < 16384; i += 1024)
    table[i] = rank + i;
  others();
  for (int i = 0; i < 16384; i += 1024)
    CHECK(table[i] == rank + i);
  passed("globals");
  MPI_Finalize();
  return 0;
}
