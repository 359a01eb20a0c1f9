// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the decision is made in a shared library that is built with the flag.
// SHARED: in_library_part.c
#include "../ring.h"

void advance(int rank);

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  advance(rank);
  MPI_Finalize();
}
