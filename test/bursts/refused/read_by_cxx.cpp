// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a file of C++ is read again under a name that the compiler cannot know to be the same.
// REFUSED: rank [0-3] reads count\.[0-3], which rank [0-3] has written.*read at
#include "../ring.h"
#include <cstdio>
#include <fstream>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char outName[40], inName[40];
  std::snprintf(outName, sizeof outName, "count.%d", rank);
  std::snprintf(inName, sizeof inName, "count.%d", rank);
  for (int step = 0; step < STEPS; ++step) {
    double count = 0, read = 0;
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.2;
    std::ofstream(outName) << count << '\n';
    std::ifstream(inName) >> read;
    sendAround((int)read);
  }
  MPI_Finalize();
}
