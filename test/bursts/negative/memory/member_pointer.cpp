// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pointer to a member, chosen by a loop, says which number of a struct is a message's
// size.
#include "../../ring.h"

struct Sizes {
  int small = 3, middle = 500, large = 3000;
  void grow(int by) { middle = (middle + by) % MOST; }
  void shrink(int by) { middle = (middle + MOST - by) % MOST; }
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  Sizes sizes;
  int Sizes::*members[] = {&Sizes::small, &Sizes::middle, &Sizes::large};
  void (Sizes::*methods[])(int) = {&Sizes::grow, &Sizes::shrink};
  int Sizes::*chosen = &Sizes::small;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.02) {
        chosen = members[i % 3];
        (sizes.*methods[i % 2])(i);
      }
    sendAround(sizes.*chosen);
  }
  MPI_Finalize();
}
