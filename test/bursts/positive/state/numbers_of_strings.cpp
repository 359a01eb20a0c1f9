// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: std::stoi clears errno, reads it behind its own call and puts it back; what loops leave there decides nothing.
#include "../../ring.h"
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

static double field[N];

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  const std::string text = argc > 1 ? argv[1] : "7";
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      field[i] = std::sqrt(noise(i, step, rank) - 0.0005);
    int count = 5;
    try {
      count = std::stoi(text);
    } catch (const std::out_of_range &) {
      count = 3;
    }
    if (rank == 0)
      std::printf("%g\n", field[step]);
    sendAround(count);
  }
  MPI_Finalize();
}
