// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: stacks are as large as asked, apart from each other, used again, guarded while the
// kernel's map count allows, and many of them cost no memory before they are touched.
#include "kernel/StackPool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace gnomon::kernel;

TEST(StackPool, StacksDoNotOverlap) {
  StackPool pool({.bytes = 256 << 10});
  std::vector<StackRange> stacks;
  for (int i = 0; i < 3000; ++i) {
    stacks.push_back(pool.allocate());
    ASSERT_GE(stacks.back().high - stacks.back().low, 256 << 10);
    stacks.back().high[-1] = 1;
    stacks.back().low[0] = 1;
  }
  std::sort(stacks.begin(), stacks.end(),
            [](const StackRange &a, const StackRange &b) { return a.low < b.low; });
  for (size_t i = 1; i < stacks.size(); ++i)
    ASSERT_LT(stacks[i - 1].high, stacks[i].low);
}

TEST(StackPool, ReleasedStackIsGivenOutAgain) {
  StackPool pool({.bytes = 64 << 10});
  StackRange first = pool.allocate();
  pool.allocate();
  pool.release(first);
  EXPECT_EQ(pool.allocate().low, first.low);
}

TEST(StackPool, TopsFallOnDifferentCacheLinesOfAPage) {
  StackPool pool({.bytes = 64 << 10});
  std::set<uintptr_t> lines;
  for (int i = 0; i < 24; ++i)
    lines.insert(reinterpret_cast<uintptr_t>(pool.allocate().high) / 64 % 64);
  EXPECT_EQ(lines.size(), 24u);
}

TEST(StackPool, TopsOfManyStayWhereTheyAre) {
  constexpr uintptr_t PageBytes = 4096;
  StackPool pool({.bytes = 64 << 10});
  std::set<uintptr_t> places;
  for (int i = 0; i < 3000; ++i)
    if (const StackRange stack = pool.allocate(); i >= 2048)
      places.insert(reinterpret_cast<uintptr_t>(stack.high) % PageBytes);
  EXPECT_EQ(places, std::set<uintptr_t>{0});
}

TEST(StackPool, TopsLieAlikeWhereTheyAreToBeFarApart) {
  constexpr size_t Apart = size_t{1} << 28;
  StackPool pool({.bytes = 64 << 10, .apartBytes = Apart});
  std::set<char *> tops;
  std::set<uintptr_t> places;
  for (int i = 0; i < 150; ++i) { // more than one reservation
    const StackRange stack = pool.allocate();
    ASSERT_TRUE(stack.guarded);
    ASSERT_GE(stack.high - stack.low, 64 << 10);
    stack.high[-1] = stack.low[0] = 1;
    tops.insert(stack.high);
    places.insert(reinterpret_cast<uintptr_t>(stack.high) % Apart);
  }
  EXPECT_EQ(tops.size(), 150U);
  EXPECT_EQ(places.size(), 1U);
}

TEST(StackPool, StacksAreNearWhereThereIsNoRoomForThemFarApart) {
  StackPool pool({.bytes = 64 << 10, .apartBytes = size_t{1} << 46});
  const StackRange first = pool.allocate(), second = pool.allocate();
  first.high[-1] = second.low[0] = 1;
  EXPECT_LT(std::abs(second.high - first.high), 1 << 20);
}

TEST(StackPool, TopsAreAligned) {
  StackPool pool({.bytes = 64 << 10});
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pool.allocate().high) % 16, 0u);
}

TEST(StackPool, SixtyFourThousandStacksOfEightMegabytesFitAndTheLastAreUnguarded) {
  StackPool pool({.lightGuards = false});
  StackRange first = pool.allocate();
  StackRange last;
  for (int i = 0; i < 65536; ++i)
    last = pool.allocate();
  EXPECT_TRUE(first.guarded);
  EXPECT_FALSE(last.guarded);
  last.high[-1] = 1;
}

class StackPoolDeathTest : public ::testing::TestWithParam<bool> {};

TEST_P(StackPoolDeathTest, OverflowOfAGuardedStackFaults) {
  StackPool pool({.bytes = 64 << 10, .lightGuards = GetParam()});
  StackRange stack = pool.allocate();
  ASSERT_TRUE(stack.guarded);
  EXPECT_DEATH(*static_cast<volatile char *>(stack.low - 1) = 1, "");
}

INSTANTIATE_TEST_SUITE_P(LightAndMapped, StackPoolDeathTest, ::testing::Bool());

TEST(StackPool, GuardPagesCanBeLeftOut) {
  StackPool pool({.bytes = 64 << 10, .guardPages = false});
  EXPECT_FALSE(pool.allocate().guarded);
}
