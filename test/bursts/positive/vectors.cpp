// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: kernels on std::vector, through operator[], iterators and algorithms.
#include "../ring.h"
#include <algorithm>
#include <numeric>
#include <vector>

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> x(20000, 1.0), y(20000, rank), z(20000);
  double total = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP
    for (std::size_t i = 0; i < x.size(); ++i)
      z[i] = 0.5 * x[i] + y[i] * y[i];
    std::transform(z.begin(), z.end(), x.begin(), y.begin(),
                   [](double a, double b) { return a * 0.1 + b; });
    double mine = std::accumulate(y.begin(), y.end(), 0.0);
    MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    // EXPECT-SKIP
    for (double &value : x)
      value += total * 1e-9;
  }
  MPI_Finalize();
}
