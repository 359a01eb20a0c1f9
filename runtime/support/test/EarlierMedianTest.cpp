// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/EarlierMedian.h"

#include <algorithm>
#include <gtest/gtest.h>

using gnomon::EarlierMedian;

namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Intent: what is kept of the earlier runs is enough, however many there are and wherever this one lies.
TEST(EarlierMedian, IsTheMedianOfAll) {
  std::vector<double> runs;
  for (const double next : {1.0, 1.3, 0.9, 1.1, 0.8, 1.05, 1.2}) {
    runs.push_back(next);
    const EarlierMedian earlier(runs);
    EXPECT_TRUE(earlier.isKnown());
    for (double own = 0.6; own < 1.7; own += 0.05) {
      std::vector<double> all = runs;
      all.push_back(own);
      EXPECT_NEAR(earlier.by(own) * own, median(all), 1e-12) << runs.size() << ' ' << own;
    }
  }
}

// Intent: other code, other data, another machine: what is found now is what counts.
TEST(EarlierMedian, SaysNothingOfWhatIsFarAway) {
  for (const std::vector<double> &runs : {std::vector<double>{1}, {1, 1}, {1, 1, 1}}) {
    EXPECT_NE(EarlierMedian(runs).by(1.9), 1);
    EXPECT_EQ(EarlierMedian(runs).by(2.1), 1);
    EXPECT_NE(EarlierMedian(runs).by(0.51), 1);
    EXPECT_EQ(EarlierMedian(runs).by(0.49), 1);
  }
}

TEST(EarlierMedian, OfNoRunsSaysNothing) {
  EXPECT_FALSE(EarlierMedian().isKnown());
  EXPECT_EQ(EarlierMedian().by(3), 1);
}

} // namespace
