// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions, tables of virtual functions, inline functions, initialisation at the first use and at the start.
#include <cstdio>
#include <map>
#include <memory>
#include <mpi.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
struct Shape {
  virtual ~Shape() = default;
  virtual double area(double size) const = 0;
};
struct Square : Shape {
  double area(double size) const override { return size * size; }
};
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Triangle : Shape {
  double area(double size) const override {
    if (size > 3)
      throw Refused("too large: " + std::to_string(int(size)));
    return size * size / 2;
  }
};
std::map<std::string, int> counts{{"start", 1}};
thread_local std::vector<int> seen{1, 2};
} // namespace

template <class T> [[gnu::noinline]] T &onlyOne() {
  static T one;
  return one;
}

[[gnu::noinline]] static double areas(const std::vector<std::unique_ptr<Shape>> &shapes,
                                      double size) {
  double sum = 0;
  for (const auto &shape : shapes) {
    sum += shape->area(size);
    counts[size > 1 ? "large" : "small"] += 1;
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>());
  shapes.push_back(std::make_unique<Triangle>());
  std::string what = "none";
  double sum = 0;
  try {
    for (int size = 1; size < 3 + rank; ++size)
      sum += areas(shapes, size);
  } catch (const Refused &refused) {
    what = refused.what();
  }
  onlyOne<std::string>() += std::to_string(rank);
  seen.push_back(rank);
  double all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  std::printf("%d: %g, %s, %zu kinds, %s, %zu seen\n", rank, all, what.c_str(), counts.size(),
              onlyOne<std::string>().c_str(), seen.size());
  MPI_Finalize();
}
