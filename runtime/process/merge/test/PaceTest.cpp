// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the pause behind a look follows from what looks gained: as long as the look where half and more merges, 99
// times as long where nothing has for a while, and short again once something does.
#include "process/merge/Pace.h"

#include <gtest/gtest.h>

using gnomon::process::merge::Pace;

namespace {

TEST(Pace, FollowsWhatWasGained) {
  Pace pace;
  EXPECT_EQ(pace.left(0), 0);
  pace.took(2, 100, 100);
  EXPECT_GT(pace.left(1.99), 0);
  EXPECT_EQ(pace.left(2), 0);
  for (int look = 0; look < 20; ++look)
    pace.took(2, 100, 0);
  EXPECT_GT(pace.left(197), 0);
  EXPECT_EQ(pace.left(198.1), 0);
  pace.took(2, 100, 100);
  EXPECT_GT(pace.left(2), 0);
  EXPECT_EQ(pace.left(6.1), 0); // g is a little above a fourth
}

TEST(Pace, IsNotMovedByMoreSplitsThanMerges) {
  Pace pace;
  for (int look = 0; look < 20; ++look)
    pace.took(1, 100, -300);
  EXPECT_GT(pace.left(98), 0);
  EXPECT_EQ(pace.left(99.1), 0);
}

TEST(Pace, IsSlowWhereThereIsNothingToLookAt) {
  Pace pace;
  pace.took(1, 0, 0);
  EXPECT_GT(pace.left(18.9), 0);
  EXPECT_EQ(pace.left(19.1), 0);
}

} // namespace
