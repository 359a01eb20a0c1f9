// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a message's size is counted by atomic additions.
#include "../../ring.h"
#include <stdatomic.h>

static atomic_int counter;

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    atomic_store(&counter, 0);
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.3)
        atomic_fetch_add(&counter, 1);
    sendAround(atomic_load(&counter));
  }
  MPI_Finalize();
}
