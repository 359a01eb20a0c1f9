// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a complex number that is as large as a string goes through a stream of characters, and decides a count.
#include "../../ring.h"
#include <complex>
#include <sstream>

static double values[N];

[[gnu::noinline]] static void note(std::ostream &stream, const std::complex<long double> &sum) {
  stream << sum;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS * 3; ++step) {
    std::complex<long double> sum = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i) {
      values[i] = 0.5 * values[i] + noise(i, step, rank);
      sum += std::complex<long double>(values[i], 1);
    }
    std::stringstream stream;
    note(stream, sum);
    std::complex<long double> back;
    stream >> back;
    sendAround(static_cast<int>(back.real()) % 40);
  }
  MPI_Finalize();
}
