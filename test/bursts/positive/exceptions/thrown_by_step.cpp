// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what a function throws rests on the step, and the handler communicates. What it is handed beside, and what it gives
// back, are none of that.
#include "../../ring.h"
#include <iostream>
#include <vector>

static double greatest;

[[gnu::noinline]] static double norm(const std::vector<double> &field, double scale, int step) {
  if (step % 7 == 6)
    throw step;
  double sum = 0;
  // EXPECT-SKIP
  for (double value : field)
    sum += scale * value * value;
  return sum;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  std::vector<double> field(20 * N);
  double last = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    int count = 1;
    // EXPECT-SKIP
    for (size_t i = 0; i < field.size(); ++i)
      field[i] = 0.5 * field[i] + noise(static_cast<int>(i), step, rank);
    try {
      last = norm(field, field[step], step);
    } catch (int thrown) {
      count = 2 + thrown;
    }
    greatest = last > greatest ? last : greatest;
    sendAround(count);
  }
  std::cout << greatest << std::endl;
  MPI_Finalize();
}
