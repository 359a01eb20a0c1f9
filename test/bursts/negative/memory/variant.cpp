// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a variant holds an integer or a floating-point number in the same place; the integer is a
// message's size.
#include "../../ring.h"
#include <optional>
#include <variant>
#include <vector>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<std::variant<double, int>> values(N);
  std::optional<int> chosen;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.5)
        values[i] = noise(i, step, rank);
      else
        values[i] = static_cast<int>(noise(i, step, rank) * 1000);
    if (const int *count = std::get_if<int>(&values[step * 5]))
      chosen = *count;
    sendAround(chosen.value_or(7));
  }
  MPI_Finalize();
}
