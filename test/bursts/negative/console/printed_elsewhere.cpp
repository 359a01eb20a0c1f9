// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function that is handed a stream, the console's, sends it to a string; what is printed comes back as a count.
#include "../../ring.h"
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

[[gnu::noinline]] static std::streambuf *redirect(std::ostream &stream, std::streambuf *buffer) {
  return stream.rdbuf(buffer);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> values(N);
  std::ostringstream text;
  std::streambuf *console = redirect(argc > 9 ? std::cerr : std::cout, text.rdbuf());
  for (int step = 0; step < STEPS * 3; ++step) {
    text.str("");
    double sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      sum += values[i] * values[i];
      if (i == N - 1)
        std::cout << static_cast<int>(sum) % 40;
    }
    sendAround(1 + std::stoi(text.str()));
  }
  redirect(std::cout, console);
  MPI_Finalize();
}
