// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: rounds of a ring take what the recursion says, and the jitter comes back from them.
#include "calibration/RingRounds.h"

#include <gtest/gtest.h>

using gnomon::calibration::RingRounds;

TEST(RingRounds, WithoutJitterARoundIsASendAndAMessage) {
  EXPECT_NEAR(RingRounds(8, 6)(10e-6, 200e-6, 0), 210e-6, 1e-12);
}

TEST(RingRounds, OneRoundTakesTheGreatestOfItsTimes) {
  const double harmonic = 1 + 1. / 2 + 1. / 3 + 1. / 4 + 1. / 5 + 1. / 6 + 1. / 7 + 1. / 8;
  EXPECT_NEAR(RingRounds(8, 1)(0, 200e-6, 50e-6), 200e-6 + harmonic * 50e-6, 6e-6);
}

TEST(RingRounds, TheSlowestOfMoreRanksIsSlower) {
  const double two = RingRounds(2, 6)(0, 200e-6, 50e-6), eight = RingRounds(8, 6)(0, 200e-6, 50e-6);
  EXPECT_GT(two, 255e-6);
  EXPECT_GT(eight, two + 5e-6);
}

TEST(RingRounds, LargeRingsTakeFewDraws) {
  EXPECT_GT(RingRounds(4096, 1000)(0, 200e-6, 50e-6), RingRounds(8, 50)(0, 200e-6, 50e-6));
}

TEST(RingRounds, TheJitterComesBack) {
  const RingRounds ring(8, 6);
  for (double jitter : {1e-6, 50e-6, 2e-3})
    EXPECT_NEAR(ring.jitterOf(ring(5e-6, 200e-6, jitter), 5e-6, 200e-6) / jitter, 1, 1e-3);
  EXPECT_LT(ring.jitterOf(100e-6, 5e-6, 200e-6), 1e-9) << "faster than without any";
}
