// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop ends as a rule, is given up on what it computes, or throws. Who skips it goes on behind it.
#include "../../ring.h"
#include <cmath>
#include <cstdio>
#include <vector>

static double values[N];
static int failures;

static void work(const std::vector<int> &places, int rank, int step) {
  std::vector<double> table(places.size(), 1.0 + step);
  // EXPECT-SKIP
  for (int i = 0; i < N; ++i) {
    double total = table.at(places[i % places.size()]);
    for (int k = 1; k <= 20 + rank; ++k)
      total += noise(i, step, k) / k;
    if (!(total < 1e30)) {
      ++failures;
      values[0] = total;
      break;
    }
    values[i] += total;
  }
  values[1] += table[0];
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  std::vector<int> places;
  for (int i = 0; i < 10 + rank; ++i)
    places.push_back(i);
  for (int step = 0; step < STEPS; ++step) {
    work(places, rank, step);
    sendAround(step);
  }
  printf("%g %d\n", values[2], failures);
  MPI_Finalize();
}
