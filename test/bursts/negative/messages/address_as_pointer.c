// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what MPI_Get_address tells becomes a pointer again, by way of memory and of MPI_Aint_add; a message's size is
// counted through it.
#include "../../ring.h"

static struct {
  int unused, count;
} held;
static MPI_Aint places[4];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  MPI_Get_address(&held, &places[2]);
  for (int step = 0; step < STEPS; ++step) {
    int *count = (int *)MPI_Aint_add(places[2], (MPI_Aint)sizeof(int));
    *count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      *count += noise(i, step, rank) < 0.4;
    sendAround(held.count);
  }
  MPI_Finalize();
}
