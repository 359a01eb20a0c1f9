// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: std::sort and std::unordered_map order and collect what is sent.
#include "../../ring.h"
#include <algorithm>
#include <unordered_map>
#include <vector>

struct Particle {
  double place;
  int cell;
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<Particle> particles(N);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      particles[i].place = noise(i, step, rank);
    std::sort(particles.begin(), particles.end(),
              [](const Particle &a, const Particle &b) { return a.place < b.place; });
    std::unordered_map<int, int> occupancy;
    for (Particle &particle : particles)
      ++occupancy[particle.cell = static_cast<int>(particle.place * 50)];
    sendAround(occupancy[step]);
  }
  MPI_Finalize();
}
