// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: vectors grow in a burst, and are freed behind it; nothing that they hold matters to a message.
#include "../../ring.h"
#include <vector>

struct Particle {
  int cell;
  double weight;
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double total = 0;
  std::vector<std::vector<Particle>> cells(16);
  for (int step = 0; step < 5 * STEPS; ++step) {
    std::vector<Particle> moved;
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.4)
        moved.push_back({i % 16, total + i});
    // EXPECT-SKIP
    for (int cell = 0; cell < 16; ++cell)
      for (const Particle &particle : moved)
        if (particle.cell == cell)
          cells[cell].push_back(particle);
    double mine = 0;
    // EXPECT-SKIP
    for (int cell = 0; cell < 16; ++cell)
      for (const Particle &particle : cells[cell])
        mine += particle.weight;
    MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sendAround(20);
  }
  MPI_Finalize();
}
