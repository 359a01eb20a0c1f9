// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a kernel of an abstract class throws when it does not like the data, and the program sends something else then.
#include "../../ring.h"
#include <memory>
#include <stdexcept>
#include <vector>

struct Kernel {
  virtual ~Kernel() = default;
  virtual void check(const std::vector<double> &field) = 0;
};
struct Lenient : Kernel {
  void check(const std::vector<double> &) override {}
};
struct Strict : Kernel {
  void check(const std::vector<double> &field) override {
    if (field[17] > 0.5)
      throw std::range_error("too large");
  }
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> field(N);
  std::vector<std::unique_ptr<Kernel>> kernels;
  kernels.push_back(std::make_unique<Lenient>());
  if (argc < 100)
    kernels.push_back(std::make_unique<Strict>());
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (size_t i = 0; i < field.size(); ++i)
      field[i] = noise(static_cast<int>(i), step, rank);
    int size = 3;
    for (auto &kernel : kernels)
      try {
        kernel->check(field);
      } catch (const std::exception &) {
        size = 17;
      }
    sendAround(size);
  }
  MPI_Finalize();
}
