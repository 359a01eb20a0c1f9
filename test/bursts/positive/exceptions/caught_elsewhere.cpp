// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what the setup throws is caught, and the program goes on. Nothing that is thrown elsewhere can come there.
#include "../../ring.h"
#include <stdexcept>
#include <vector>

[[gnu::noinline]] static std::vector<double> makeField(int cells) {
  if (cells > 1000000)
    throw std::length_error("too many cells");
  return std::vector<double>(cells);
}

[[gnu::noinline]] static double relax(std::vector<double> &field, int step, int rank) {
  std::vector<double> before(field);
  double change = 0;
  // EXPECT-SKIP
  for (size_t i = 0; i < field.size(); ++i) {
    field[i] = 0.5 * before.at(i) + noise(static_cast<int>(i), step, rank);
    change += field[i] - before[i];
  }
  if (!(change < 1e200))
    throw std::range_error("diverges");
  return change;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> field;
  try {
    field = makeField(argc > 100 ? 2000000 : 20000);
  } catch (const std::length_error &) {
    field = makeField(10);
  }
  for (int step = 0; step < STEPS * 5; ++step) {
    relax(field, step, rank);
    sendAround(3);
  }
  MPI_Finalize();
}
