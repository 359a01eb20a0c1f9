// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a call by a pointer to a member looks at the object's table, if the member is virtual, at a place that the pointer
// says. Neither the arrays of the object nor the indices in one of them are such a table. (LULESH packs its fields so.)
#include "../ring.h"
#include <vector>

class Domain {
public:
  explicit Domain(int count) : x_(count), y_(count), order_(count) {}
  double &x(int i) { return x_[i]; }
  double &y(int i) { return y_[i]; }
  int &order(int i) { return order_[i]; }

private:
  std::vector<double> x_, y_;
  std::vector<int> order_;
};

using Field = double &(Domain::*)(int);

[[gnu::noinline]] static double pack(Domain &domain, const Field *fields, int count) {
  static double buffer[2 * N];
  for (int f = 0; f < count; ++f)
    for (int i = 0; i < N; ++i)
      buffer[f * N + i] = (domain.*fields[f])(i);
  MPI_Bcast(buffer, 2 * N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return buffer[0];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  Domain domain(N);
  // EXPECT-SKIP
  for (int i = 0; i < N; ++i)
    domain.order(i) = (i * 7 + rank) % N;
  const Field fields[] = {&Domain::x, &Domain::y};
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      domain.x(i) += noise(i, step, rank);
      domain.y(domain.order(i)) = 0.5 * domain.x(i);
    }
    pack(domain, fields, argc > 1 ? 1 : 2);
    sendAround(3);
  }
  MPI_Finalize();
}
