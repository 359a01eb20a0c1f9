// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: local arrays that ranks share are apart while their frames live, and are used again when these are gone,
// however they were left.
#include "process/fold/FoldedMemory.h"

#include <gtest/gtest.h>

using namespace gnomon::process::fold;

namespace {

constexpr size_t Bytes = 4 * SharedPages::PageBytes;
constexpr uintptr_t High = 1 << 20, Frame = 1 << 10, Place = 16;

gnomon_fold_site siteThatFolds() {
  gnomon_fold_site site{};
  site.function = "f";
  site.flags = 1U << GNOMON_PLAN_PLAIN;
  return site;
}

class Locals : public testing::Test {
protected:
  FoldedMemory folded{Settings{.leastBytes = SharedPages::PageBytes}};
  LocalBlocks &locals = folded.locals();
  gnomon_fold_site site = siteThatFolds();
};

TEST_F(Locals, LieOnTheStackBeforeFoldingBegins) {
  EXPECT_EQ(locals.take(0, site, Bytes, High), nullptr);
  folded.begin(Plan::Plain, 0);
  EXPECT_NE(locals.take(0, site, Bytes, High), nullptr);
  EXPECT_EQ(folded.report().bytes, 2 * Bytes) << "both were asked for";
  EXPECT_EQ(folded.report().foldedBytes, Bytes);
}

TEST_F(Locals, OfSmallSizeStayOnTheStack) {
  folded.begin(Plan::Plain, 0);
  EXPECT_EQ(locals.take(0, site, SharedPages::PageBytes - 1, High), nullptr);
}

TEST_F(Locals, OfTwoRanksAreOne) {
  folded.begin(Plan::Plain, 0);
  void *mine = locals.take(0, site, Bytes, High);
  EXPECT_EQ(locals.take(1, site, Bytes, 8 * High), mine);
  EXPECT_TRUE(folded.isFolded(mine, Bytes));
}

TEST_F(Locals, OfLiveFramesAreApart) {
  folded.begin(Plan::Plain, 0);
  void *first = locals.take(0, site, Bytes, High);
  void *second = locals.take(0, site, Bytes, High - Place);
  void *below = locals.take(0, site, Bytes, High - Frame);
  EXPECT_NE(first, second);
  EXPECT_NE(first, below);
  EXPECT_NE(second, below);
}

TEST_F(Locals, OfFramesThatAreGoneAreUsedAgain) {
  folded.begin(Plan::Plain, 0);
  void *first = locals.take(0, site, Bytes, High);
  void *second = locals.take(0, site, Bytes, High - Frame);
  EXPECT_EQ(locals.take(0, site, Bytes, High - Frame), second) << "the next iteration, or call";
  EXPECT_EQ(locals.take(0, site, Bytes, High), first) << "both are gone";
  EXPECT_EQ(locals.take(0, site, Bytes, High - 2 * Frame), second);
}

TEST_F(Locals, PoisonedOnesAreEachRanksOwn) {
  FoldedMemory poisoned{Settings{.leastBytes = 1, .poisons = true}};
  void *mine = poisoned.locals().take(0, site, Bytes, High);
  auto *yours = static_cast<unsigned char *>(poisoned.locals().take(1, site, Bytes, High));
  EXPECT_NE(mine, yours);
  EXPECT_EQ(yours[7], 0);
  poisoned.begin(Plan::Plain, 0);
  EXPECT_EQ(yours[7], 0xff);
  EXPECT_TRUE(poisoned.isFolded(yours, Bytes));
  void *next = poisoned.locals().take(1, site, Bytes, High);
  EXPECT_EQ(static_cast<unsigned char *>(next)[Bytes - 1], 0xff);
}

} // namespace
