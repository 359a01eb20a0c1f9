// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: kernels of an abstract class are called where exceptions are caught: they throw none, and what stands for the function
// that the class lacks is called by nobody.
#include "../../ring.h"
#include <memory>
#include <stdexcept>
#include <vector>

struct Kernel {
  virtual ~Kernel() = default;
  virtual void apply(std::vector<double> &field, int step, int rank) = 0;
};
struct Relax : Kernel {
  void apply(std::vector<double> &field, int step, int rank) override {
    for (size_t i = 0; i < field.size(); ++i)
      field[i] = 0.5 * field[i] + noise(static_cast<int>(i), step, rank);
  }
};
struct Scale : Kernel {
  double factor = 0.9;
  void apply(std::vector<double> &field, int, int) override {
    for (double &value : field)
      value *= factor;
    MPI_Allreduce(MPI_IN_PLACE, field.data(), 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
};

__attribute__((noinline)) static void applyAll(std::vector<std::unique_ptr<Kernel>> &kernels,
                                               std::vector<double> &field, int step, int rank) {
  std::vector<double> kept(8);
  for (auto &kernel : kernels)
    kernel->apply(field, step, rank);
  kept[0] = field[0];
  // EXPECT-SKIP
  for (size_t i = 0; i < field.size(); ++i)
    field[i] += noise(static_cast<int>(i), step, rank) * kept[0];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<double> field(N);
  std::vector<std::unique_ptr<Kernel>> kernels;
  kernels.push_back(std::make_unique<Relax>());
  if (argc < 100)
    kernels.push_back(std::make_unique<Scale>());
  for (int step = 0; step < STEPS * 3; ++step) {
    try {
      if (argc > 50 + step)
        throw std::runtime_error("too many words");
      applyAll(kernels, field, step, rank);
    } catch (const std::exception &) {
      sendAround(17);
    }
    sendAround(3);
  }
  MPI_Finalize();
}
