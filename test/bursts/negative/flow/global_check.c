// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each rank checks its data, all agree on whether somebody's are bad, and abort then: they
// never are.
#include "../../ring.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double energy[N];

__attribute__((noinline)) static int bad(void) {
  for (int i = 0; i < N; ++i)
    if (!(energy[i] > 0.5) || isnan(energy[i]))
      return 1;
  return 0;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    for (int i = 0; i < N; ++i)
      energy[i] = 1 + noise(i, step, rank);
    int mine = bad(), any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any) {
      fprintf(stderr, "rank %d: bad energy\n", rank);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (int i = 0; i < N; ++i)
      sum += energy[i];
    assert(sum >= N);
    if (sum > 2 * N)
      exit(4);
    sendAround(10 + step);
  }
  MPI_Finalize();
}
