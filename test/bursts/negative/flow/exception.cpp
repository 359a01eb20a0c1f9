// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop throws on a value; the handler communicates.
#include "../../ring.h"
#include <stdexcept>
#include <string>

static double field[N];

[[gnu::noinline]] static void sweep(int step) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i) {
    field[i] = 0.5 * field[i] + noise(i, step, 0);
    if (field[i] > 1.7)
      throw std::runtime_error(std::to_string(i));
  }
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    try {
      sweep(step);
      sendAround(1);
    } catch (const std::runtime_error &error) {
      sendAround(std::stoi(error.what()));
      field[std::stoi(error.what())] = 0;
    }
  }
  MPI_Finalize();
}
