// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Calibration.h"

#include <gtest/gtest.h>

using gnomon::process::burst::Calibration;
using Terms = std::vector<Calibration::Term>;

namespace {

// Intent: the worked example: what the samples miss of a stretch is spread in proportion.
TEST(Calibration, SpreadsWhatSamplesMiss) {
  Calibration calibration;
  EXPECT_TRUE(calibration.add(0, 9, Terms{{0, 4, 1}, {1, 1, 2}}));
  EXPECT_DOUBLE_EQ(calibration.rate(0), 1.5);
  EXPECT_DOUBLE_EQ(calibration.rate(1), 3);
  EXPECT_TRUE(calibration.add(0, 6, Terms{{0, 6, 1}}));
  EXPECT_DOUBLE_EQ(calibration.rate(0), 1.2);
  EXPECT_DOUBLE_EQ(calibration.rate(1), 3);
}

// Intent: the code between bursts is no burst's; its time is the mean over stretches that begin
// with the same burst, whether it is known before the equation or after.
TEST(Calibration, TheRestIsTakenOut) {
  Calibration calibration;
  EXPECT_EQ(calibration.addRest(5, 2), 1u);
  calibration.add(5, 9, Terms{{0, 4, 1}, {1, 1, 2}});
  EXPECT_DOUBLE_EQ(calibration.rate(0), 7.0 / 6);
  EXPECT_EQ(calibration.addRest(5, 4), 2u);
  EXPECT_DOUBLE_EQ(calibration.rest(5), 3);
  EXPECT_DOUBLE_EQ(calibration.rate(0), 1);
  EXPECT_DOUBLE_EQ(calibration.rate(1), 2);
  calibration.addRest(6, 100);
  EXPECT_DOUBLE_EQ(calibration.rate(1), 2);
}

// Intent: what is charged for the equations' own work is what they took, though the samples' rates
// moved in between.
TEST(Calibration, KeepsTheSum) {
  Calibration calibration;
  const std::vector<std::pair<double, Terms>> equations{
      {10, {{0, 5, 1}, {1, 1, 3}}}, {7, {{1, 2, 2}, {2, 4, 1}}}, {12, {{0, 4, 1.5}, {2, 10, 0.9}}}};
  double took = 0;
  for (const auto &[seconds, terms] : equations) {
    ASSERT_TRUE(calibration.add(1, seconds, terms));
    took += seconds;
  }
  double charged = 0;
  for (const auto &[seconds, terms] : equations)
    for (const Calibration::Term &term : terms)
      charged += calibration.rate(term.kind) * term.work;
  EXPECT_NEAR(charged, took, 1e-12);
}

// Intent: a stretch in which something else happened (a page storm, a wrong estimate) says nothing.
TEST(Calibration, FarEquationsAreRefused) {
  Calibration calibration;
  EXPECT_FALSE(calibration.add(0, 31, Terms{{0, 10, 1}}));
  EXPECT_FALSE(calibration.add(0, 3, Terms{{0, 10, 1}}));
  EXPECT_FALSE(calibration.add(0, 3, Terms{}));
  EXPECT_DOUBLE_EQ(calibration.rate(0), 0);
  EXPECT_DOUBLE_EQ(calibration.rate(99), 0);
}

// Intent: a rest measured in other stretches cannot turn a cost negative.
TEST(Calibration, NeverNegative) {
  Calibration calibration;
  calibration.addRest(0, 50);
  calibration.add(0, 10, Terms{{0, 10, 1}});
  EXPECT_GT(calibration.rate(0), 0);
}

} // namespace
