// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: piece-wise functions change section exactly where SimGrid 4.1.1 changes it.
#include "models/Factors.h"

#include "support/Number.h"

#include <gtest/gtest.h>

using namespace gnomon;
using namespace gnomon::models;

TEST(Factors, SectionHoldsFromAboveItsThresholdThroughTheNext) {
  Factors factors = Factors::parse("100:0.5;10:2;0:3", Factors::Kind::Factor);
  EXPECT_EQ(factors(0), 1) << "up to the first threshold: the default";
  EXPECT_EQ(factors(1), 3);
  EXPECT_EQ(factors(10), 3);
  EXPECT_EQ(factors(11), 2);
  EXPECT_EQ(factors(100), 2);
  EXPECT_EQ(factors(101), 0.5);
  EXPECT_EQ(factors(1e12), 0.5);
}

TEST(Factors, CostIsStartupAndPerByteAndNothingUpToTheFirstThreshold) {
  Factors costs = Factors::parse("0:1us:1e-9;1000:5e-6:2ns", Factors::Kind::Cost);
  EXPECT_EQ(costs(0), 0);
  EXPECT_DOUBLE_EQ(costs(100), 1e-6 + 100e-9);
  EXPECT_DOUBLE_EQ(costs(1000), 1e-6 + 1000e-9);
  EXPECT_DOUBLE_EQ(costs(2000), 5e-6 + 2000 * 2e-9);
}

TEST(Factors, OneNumberForAll) {
  EXPECT_EQ(Factors::parse("13.01", Factors::Kind::Factor)(17), 13.01);
  EXPECT_EQ(Factors(Factors::Kind::Factor)(5), 1);
  EXPECT_EQ(Factors(Factors::Kind::Cost)(5), 0);
}

TEST(Factors, ThresholdsMayRiseOrFall) {
  Factors rising = Factors::parse("0:3;10:2;100:0.5", Factors::Kind::Factor);
  Factors falling = Factors::parse("100:0.5;10:2;0:3", Factors::Kind::Factor);
  for (double size : {0., 1., 10., 11., 100., 101.})
    EXPECT_EQ(rising(size), falling(size)) << size;
}

TEST(Factors, MalformedTextsAreRefused) {
  for (const char *text :
       {"", "a:1", "1:a", "1:", "1:2:3", "-1:2", "1:-2", "1:nan", "1:2;1:3", ";", ":", "1.5:2",
        "1:2;", "1:2;;3:4", ";1:2", "0:1;100:2;10:3", "10:1;0:2;100:3"})
    EXPECT_THROW(Factors::parse(text, Factors::Kind::Factor), NumberError) << text;
  for (const char *text : {"0:1:2:3", "0:1:", "0:1:nan", "0:1us:-1ns", "0:1;0:2", "0:1us:1ns;"})
    EXPECT_THROW(Factors::parse(text, Factors::Kind::Cost), NumberError) << text;
}
