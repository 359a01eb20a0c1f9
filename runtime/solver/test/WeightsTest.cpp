// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each use finds the weight that was entered for it, however many different ones there are,
// and equal weights share a number while there are few.
#include "solver/Weights.h"

#include <gtest/gtest.h>
#include <vector>

namespace gnomon::solver {
namespace {

TEST(Weights, EqualOnesShareANumber) {
  Weights weights;
  const uint32_t one = weights.enter(0, 1), share = weights.enter(1, 0.05);
  EXPECT_NE(one, share);
  EXPECT_EQ(weights.enter(2, 1), one);
  EXPECT_EQ(weights.enter(3, 0.05), share);
}

// Intent: a number that was asked for before its uses come is the one that they find, and asking beyond
// the last number takes nothing from those that have one.
TEST(Weights, NumbersAreAskedForBeforehand) {
  Weights weights;
  const uint32_t half = weights.numberOf(0.5);
  EXPECT_EQ(weights.enter(0, 0.5, half), half);
  EXPECT_EQ(weights.enter(1, 0.5), half);
  for (uint32_t i = 1; i < Weights::Own; ++i)
    EXPECT_EQ(weights.numberOf(1 + i), i);
  EXPECT_EQ(weights.numberOf(1000), Weights::Own);
  EXPECT_EQ(weights.at(weights.enter(7, 1000, Weights::Own), 7), 1000);
  EXPECT_EQ(weights.at(half, 0), 0.5);
}

TEST(Weights, MoreThanHaveNumbersAreFoundByTheirUses) {
  constexpr uint32_t Uses = 100;
  Weights weights;
  std::vector<uint32_t> numbers;
  for (uint32_t use = 0; use < Uses; ++use)
    numbers.push_back(weights.enter(use, 1 + use));
  for (uint32_t use = 0; use < Uses; ++use) {
    EXPECT_LT(numbers[use], 1U << Weights::Bits);
    EXPECT_EQ(weights.at(numbers[use], use), 1 + use);
  }
  // A use that another one's weight is entered for forgets its own.
  const uint32_t last = weights.enter(Uses - 1, 0.5);
  EXPECT_EQ(weights.at(last, Uses - 1), 0.5);
  EXPECT_EQ(weights.at(numbers[Uses - 2], Uses - 2), Uses - 1);
}

} // namespace
} // namespace gnomon::solver
