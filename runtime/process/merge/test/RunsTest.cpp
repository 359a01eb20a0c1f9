// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: runs that go on from each other are one; what is mapped over a run cuts it, and each part shows what it did.
#include "process/merge/Runs.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using gnomon::process::merge::Runs;

namespace {

constexpr uintptr_t Page = 4096;
using Parts = std::vector<std::pair<uintptr_t, uintptr_t>>;

Parts in(const Runs &runs, uintptr_t begin, uintptr_t end) {
  Parts parts;
  runs.visit(begin * Page, end * Page,
             [&](uintptr_t from, uintptr_t to) { parts.emplace_back(from / Page, to / Page); });
  return parts;
}

TEST(Runs, ThatGoOnAreOne) {
  Runs runs;
  runs.add(10 * Page, 12 * Page, 5);
  runs.add(14 * Page, 16 * Page, 9);
  EXPECT_EQ(runs.count(), 2U);
  runs.add(12 * Page, 14 * Page, 7);
  EXPECT_EQ(runs.count(), 1U);
  runs.add(16 * Page, 17 * Page, 3); // another original
  EXPECT_EQ(runs.count(), 2U);
  EXPECT_EQ(in(runs, 0, 100), (Parts{{10, 16}, {16, 17}}));
}

TEST(Runs, AreCutByWhatIsMappedOver) {
  Runs runs;
  runs.add(10 * Page, 20 * Page, 0);
  runs.add(13 * Page, 15 * Page, 50);
  EXPECT_EQ(in(runs, 0, 100), (Parts{{10, 13}, {13, 15}, {15, 20}}));
  runs.add(13 * Page, 15 * Page, 3); // what it showed before: all is one again
  EXPECT_EQ(runs.count(), 1U);
}

TEST(Runs, AreGoneWhereTheyAreRemoved) {
  Runs runs;
  runs.add(10 * Page, 20 * Page, 0);
  runs.add(30 * Page, 40 * Page, 0);
  runs.remove(12 * Page, 35 * Page);
  EXPECT_EQ(in(runs, 0, 100), (Parts{{10, 12}, {35, 40}}));
  EXPECT_EQ(in(runs, 11, 37), (Parts{{11, 12}, {35, 37}}));
  runs.remove(0, 100 * Page);
  EXPECT_EQ(runs.count(), 0U);
}

} // namespace
