// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a count goes through a string stream, and through a file stream.
#include "../../ring.h"
#include <fstream>
#include <sstream>
#include <string>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const std::string name = "count." + std::to_string(rank);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0, again = 0, more = 0, third = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.3;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      more += noise(i, step, rank) > 0.8;
    std::ostringstream out;
    out << count << ' ' << step;
    std::istringstream(out.str()) >> again;
    std::ofstream(name) << more << '\n';
    std::ifstream(name) >> third;
    sendAround(again + third);
  }
  MPI_Finalize();
}
