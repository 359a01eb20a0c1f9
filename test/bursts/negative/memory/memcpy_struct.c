// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count is computed in one struct and gets to the message through two memcpy and an array
// of bytes.
#include "../../ring.h"
#include <string.h>

struct header {
  double time;
  int count;
  int flags;
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  unsigned char wire[sizeof(struct header)];
  for (int step = 0; step < STEPS; ++step) {
    struct header header = {step, 0, 0}, copy;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      header.count += noise(i, step, rank) < 0.3;
    memcpy(wire, &header, sizeof header);
    memcpy(&copy, wire, sizeof copy);
    sendAround(copy.count);
  }
  MPI_Finalize();
}
