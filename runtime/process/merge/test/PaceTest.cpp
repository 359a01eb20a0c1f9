// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the pause behind a look follows from what looks gained: as long as the look where half and more merges, 99
// times as long where nothing has for a while, and short again once something does.
#include "process/merge/Pace.h"

#include <gtest/gtest.h>

using gnomon::process::merge::Pace;

namespace {

TEST(Pace, FollowsWhatWasGained) {
  Pace pace;
  EXPECT_TRUE(pace.isDue(0));
  pace.took(2, 100, 100);
  EXPECT_FALSE(pace.isDue(1.99));
  EXPECT_TRUE(pace.isDue(2));
  for (int look = 0; look < 20; ++look)
    pace.took(2, 100, 0);
  EXPECT_FALSE(pace.isDue(197));
  EXPECT_TRUE(pace.isDue(198.1));
  pace.took(2, 100, 100);
  EXPECT_FALSE(pace.isDue(2));
  EXPECT_TRUE(pace.isDue(6.1)); // g is a little above a fourth
}

TEST(Pace, IsNotMovedByMoreSplitsThanMerges) {
  Pace pace;
  for (int look = 0; look < 20; ++look)
    pace.took(1, 100, -300);
  EXPECT_FALSE(pace.isDue(98));
  EXPECT_TRUE(pace.isDue(99.1));
}

TEST(Pace, IsSlowWhereThereIsNothingToLookAt) {
  Pace pace;
  pace.took(1, 0, 0);
  EXPECT_FALSE(pace.isDue(18.9));
  EXPECT_TRUE(pace.isDue(19.1));
}

} // namespace
