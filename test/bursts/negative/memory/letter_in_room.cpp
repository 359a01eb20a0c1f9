// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a letter is put into a short name of a structure at places that a loop finds; how often it is there is a
// message's size.
#include "../../ring.h"
#include <algorithm>
#include <string>

struct Part {
  int number;
  std::string name;
  double weight;
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  Part *part = new Part{rank, argc > 5 ? argv[5] : "............", 1.0};
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      part->name[unsigned(part->name.size() * noise(i, step, rank))] =
          noise(i + 1, step, rank) < 0.5 ? '.' : 'x';
    const std::string copy = part->name;
    part->weight += copy.size();
    sendAround(int(std::count(copy.begin(), copy.end(), 'x')));
  }
  MPI_Finalize();
}
