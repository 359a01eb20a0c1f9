// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop replaces objects behind base pointers; a virtual call decides a message's size.
#include "../../ring.h"
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int size() const = 0;
};
struct Small : Shape {
  int size() const override { return 3; }
};
struct Large : Shape {
  int extent;
  explicit Large(int extent) : extent(extent) {}
  int size() const override { return extent; }
};

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<std::unique_ptr<Shape>> shapes(N);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, rank) < 0.3)
        shapes[i] = std::make_unique<Small>();
      else
        shapes[i] = std::make_unique<Large>(static_cast<int>(noise(i, step, rank) * 1000));
    sendAround(shapes[step * 11]->size());
  }
  MPI_Finalize();
}
