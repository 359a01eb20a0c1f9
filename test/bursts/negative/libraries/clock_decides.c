// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop takes the longest of its times; whether that is more than a limit decides a
// message's size.
#include "../../ring.h"

static double field[N];

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double longest = 1e9;
    // EXPECT-RUN: the count of MPI_Sendrecv
    for (int i = 1; i < N; ++i) {
      double begin = MPI_Wtime();
      field[i] += field[i - 1];
      double took = MPI_Wtime() - begin;
      longest = i == 1 || took > longest ? took : longest;
    }
    sendAround(longest > 1e6 ? 2 : 3);
  }
  MPI_Finalize();
}
