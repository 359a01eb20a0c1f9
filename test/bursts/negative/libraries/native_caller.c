// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a native object asks the program for a count, and sends as much.
// NATIVE: native_caller_part.c
#include "../../ring.h"

int countItems(int step, int rank);
void sendSome(int step, int rank);

int countItems(int step, int rank) {
  int count = 0;
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    count += noise(i, step, rank) < 0.4;
  return count;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    sendSome(step, rank);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
