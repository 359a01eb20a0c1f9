// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a solver in a class goes on until its residual is small, inside a loop of steps.
#include "../ring.h"
#include <cmath>
#include <vector>

class Solver {
public:
  explicit Solver(int rank) : values_(N), right_(N) {
    for (int i = 0; i < N; ++i)
      right_[i] = noise(i, 3, rank);
  }
  int solve(double tolerance) {
    int rounds = 0;
    double residual;
    do {
      residual = relax();
      ++rounds;
      sendAround(5);
    } while (residual > tolerance && rounds < 500);
    return rounds;
  }
  void change() {
    for (double &right : right_)
      right = 0.9 * right + 0.1 * right * right;
  }

private:
  double relax() {
    double sum = 0, all;
    for (int i = 0; i < N; ++i) {
      const double now = 0.5 * values_[i] + right_[i];
      sum += (now - values_[i]) * (now - values_[i]);
      values_[i] = now;
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return std::sqrt(all);
  }
  std::vector<double> values_, right_;
};

int main(int argc, char **argv) {
  Solver solver(startRank(&argc, &argv));
  for (int step = 0; step < STEPS; ++step) {
    solver.solve(1e-3);
    solver.change();
    sendAround(20);
  }
  MPI_Finalize();
}
