// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a computed number goes through a stream of characters, and strings that are joined and
// moved, and comes back as a count.
#include "../../ring.h"
#include <sstream>
#include <string>
#include <vector>

static std::string textOf(double value) {
  std::ostringstream stream;
  stream << static_cast<int>(value) % 40;
  return stream.str();
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> values(N);
  std::vector<std::string> texts;
  for (int step = 0; step < STEPS * 3; ++step) {
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      sum += values[i];
    }
    std::string text = "1";
    text += textOf(sum);
    texts.push_back(std::move(text));
    sendAround(std::stoi(texts.back()));
  }
  MPI_Finalize();
}
