// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a loop calls prints, and checks an index that is computed; the handler of what that throws communicates.
#include "../../ring.h"
#include <iostream>
#include <vector>

static std::vector<double> field(N);

[[gnu::noinline]] static double look(int place, int rank) {
  if (place < 0)
    std::cout << "rank " << rank << ": nothing at " << place << std::endl;
  return field.at(place);
}

[[gnu::noinline]] static void sweep(int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    field[i] =
        0.5 * look(static_cast<int>(1.0005 * N * noise(i, step, rank)), rank) + noise(i, step, 0);
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    int count = 1;
    try {
      sweep(step, rank);
    } catch (...) {
      count = 2;
    }
    sendAround(count);
  }
  MPI_Finalize();
}
