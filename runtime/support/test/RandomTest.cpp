// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: random numbers have their distribution, and do not depend on those before them.
#include "support/Random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace gnomon;

namespace {

constexpr size_t Count = 20000;
constexpr double Scatter = 0.03; ///< four standard errors of a correlation

std::vector<double> drawn(uint64_t seed) {
  std::vector<double> values(Count);
  for (size_t i = 0; i < Count; ++i)
    values[i] = randomExponential(seed, i) - 1;
  return values;
}

double correlation(const std::vector<double> &one, const std::vector<double> &other, size_t lag) {
  double sum = 0;
  for (size_t i = lag; i < Count; ++i)
    sum += one[i] * other[i - lag];
  return sum / Count;
}

} // namespace

TEST(Random, ExponentialNumbersHaveTheirMeanAndVariance) {
  for (uint64_t seed : {0u, 1u, 2u, 77u}) {
    double sum = 0, squares = 0;
    for (double value : drawn(seed)) {
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / Count, 0, Scatter) << seed;
    EXPECT_NEAR(squares / Count, 1, 4 * Scatter) << seed;
  }
}

TEST(Random, NumbersDoNotDependOnThoseBefore) {
  for (uint64_t seed : {1u, 2u}) {
    const std::vector<double> values = drawn(seed);
    for (size_t lag = 1; lag <= 32; ++lag)
      EXPECT_NEAR(correlation(values, values, lag), 0, Scatter) << seed << ' ' << lag;
  }
}

TEST(Random, SeedsMakeStreamsOfTheirOwn) {
  EXPECT_NEAR(correlation(drawn(1), drawn(2), 0), 0, Scatter);
  EXPECT_NEAR(correlation(drawn(0), drawn(1), 1), 0, Scatter);
}
