// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a function returns a struct by value; one member of it is a count, the others are not.
#include "../../ring.h"

struct statistics {
  double mean, variance, least, most;
  int outliers;
};

__attribute__((noinline)) static struct statistics survey(int step, int rank) {
  struct statistics result = {0, 0, 1, 0, 0};
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    result.outliers += noise(i, step, rank) > 0.8;
  for (int i = 0; i < N; ++i) {
    double value = noise(i, step, rank);
    result.mean += value / N;
    result.variance += value * value / N;
    result.least = value < result.least ? value : result.least;
    result.most = value > result.most ? value : result.most;
  }
  return result;
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    struct statistics result = survey(step, rank);
    sendAround(result.outliers);
  }
  MPI_Finalize();
}
