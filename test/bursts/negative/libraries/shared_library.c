// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a library built with the flag communicates and counts for the program.
// SHARED: shared_library_part.c
#include "../../ring.h"

int countAndWait(int step, int rank);

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step)
    sendAround(countAndWait(step, rank));
  MPI_Finalize();
}
