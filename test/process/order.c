// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: standard output comes out in the order of simulated time, each rank's lines whole.
#include "Check.h"
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank(), size = worldSize();
  printf("rank %d ", rank); // begun by all ranks first
  sleep((unsigned)(size - rank));
  printf("ends\n");
  char text[32];
  snprintf(text, sizeof text, "rank %d writes\n", rank);
  CHECK(write(1, text, strlen(text)) == (ssize_t)strlen(text));
  dprintf(1, "rank %d dprintf\n", rank);
  MPI_Finalize();
  printf("unfinished");
  return 0;
}
