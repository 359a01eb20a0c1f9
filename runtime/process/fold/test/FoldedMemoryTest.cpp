// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: which blocks are shared, from when on, by whom, and what is left when they are freed.
#include "process/fold/FoldedMemory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace gnomon::process::fold;

namespace {

constexpr size_t Page = SharedPages::PageBytes, Bytes = 4 * Page;

gnomon_fold_site siteThatFolds(uint32_t phase = 0) {
  gnomon_fold_site site{};
  site.function = "f";
  site.phase = phase;
  site.decided_phase = phase;
  site.flags = 1U << GNOMON_PLAN_PLAIN | 1U << GNOMON_PLAN_DECIDED;
  return site;
}

/// Memory of a rank's own, as malloc gives it.
struct Own {
  char *memory = static_cast<char *>(
      mmap(nullptr, Bytes + Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  char *block = memory + 64; // behind a header, as large blocks are
  Own() { std::memset(memory, 1, Bytes + Page); }
  ~Own() { munmap(memory, Bytes + Page); }
};

class Folding : public testing::Test {
protected:
  FoldedMemory folded{Settings{.leastBytes = Page}};
};

TEST_F(Folding, NothingIsSharedBeforeSomethingIsSkipped) {
  gnomon_fold_site site = siteThatFolds();
  EXPECT_EQ(folded.allocate(0, site, Bytes), nullptr);
  Own own;
  folded.note(0, site, own.block, Bytes, Place::Movable);
  EXPECT_FALSE(folded.isFolded(own.block, Bytes));
  EXPECT_EQ(folded.report().foldedBytes, 0U);
}

TEST_F(Folding, RanksShareABlockOfOneSiteAndSize) {
  gnomon_fold_site site = siteThatFolds(), other = siteThatFolds();
  folded.begin(Plan::Plain, 0);
  void *mine = folded.allocate(0, site, Bytes);
  ASSERT_TRUE(mine);
  EXPECT_EQ(folded.allocate(1, site, Bytes), mine);
  EXPECT_NE(folded.allocate(0, site, Bytes), mine) << "a rank's second block is another one";
  EXPECT_NE(folded.allocate(2, site, 2 * Bytes), mine);
  EXPECT_NE(folded.allocate(2, other, Bytes), mine);
  EXPECT_TRUE(folded.isFolded(mine, Bytes));
  EXPECT_FALSE(folded.isFolded(mine, Bytes + 1));
  EXPECT_EQ(folded.capacity(mine), Bytes);
}

TEST_F(Folding, SizesThatLieNearEachOtherAreOne) {
  gnomon_fold_site site = siteThatFolds();
  folded.begin(Plan::Plain, 0);
  constexpr size_t Large = size_t{1} << 20;
  void *first = folded.allocate(0, site, Large + 1);
  EXPECT_EQ(folded.allocate(1, site, Large + Large / 8), first);
  EXPECT_NE(folded.allocate(2, site, Large + Large / 8 + 1), first);
  EXPECT_EQ(folded.capacity(first), Large + Large / 8);
}

TEST_F(Folding, WhatNobodyCanHaveIsNotShared) {
  gnomon_fold_site site = siteThatFolds();
  folded.begin(Plan::Plain, 0);
  EXPECT_EQ(folded.allocate(0, site, size_t(-8)), nullptr);
  EXPECT_EQ(folded.allocate(0, site, (size_t{1} << 42) + 1), nullptr);
}

TEST_F(Folding, AFreedBlockIsTheRanksNextOne) {
  gnomon_fold_site site = siteThatFolds();
  folded.begin(Plan::Plain, 0);
  void *first = folded.allocate(0, site, Bytes), *second = folded.allocate(0, site, Bytes);
  EXPECT_TRUE(folded.release(0, first));
  EXPECT_EQ(folded.allocate(0, site, Bytes), first);
  EXPECT_TRUE(folded.release(0, second));
}

TEST_F(Folding, BlocksFromBeforeShowTheSharedPages) {
  gnomon_fold_site site = siteThatFolds();
  Own mine, yours;
  folded.note(0, site, mine.block, Bytes, Place::Movable);
  folded.note(1, site, yours.block, Bytes, Place::Movable);
  folded.begin(Plan::Plain, 0);
  EXPECT_TRUE(folded.isFolded(mine.block, Bytes));
  EXPECT_FALSE(folded.isFolded(mine.block - 1, Bytes));
  mine.memory[2 * Page] = 7;
  EXPECT_EQ(yours.memory[2 * Page], 7);
  EXPECT_EQ(mine.memory[0], 1) << "what lies in front of the block in its first page stays";
  EXPECT_EQ(folded.report().foldedBytes, 2 * Bytes);
}

TEST_F(Folding, WhileMuchIsExecutedOnlyNewBlocksAreShared) {
  gnomon_fold_site site = siteThatFolds();
  Own mine, yours;
  folded.note(0, site, mine.block, Bytes, Place::Movable);
  folded.note(1, site, yours.block, Bytes, Place::Movable);
  folded.begin(Plan::Plain, 0, Extent::New);
  EXPECT_FALSE(folded.isFolded(mine.block, Bytes));
  EXPECT_EQ(mine.memory[2 * Page], 1);
  void *block = folded.allocate(0, site, Bytes);
  ASSERT_TRUE(block);
  EXPECT_EQ(folded.allocate(1, site, Bytes), block);
  folded.reach(1);
  EXPECT_FALSE(folded.isFolded(mine.block, Bytes));
  folded.settle();
  EXPECT_TRUE(folded.isFolded(mine.block, Bytes));
  mine.memory[2 * Page] = 7;
  EXPECT_EQ(yours.memory[2 * Page], 7);
}

TEST_F(Folding, AFreedBlockFromBeforeHasPagesOfItsOwn) {
  gnomon_fold_site site = siteThatFolds();
  Own mine, yours;
  folded.note(0, site, mine.block, Bytes, Place::Movable);
  folded.note(1, site, yours.block, Bytes, Place::Movable);
  folded.begin(Plan::Plain, 0);
  EXPECT_FALSE(folded.release(0, mine.block)) << "libc frees it";
  mine.memory[2 * Page] = 7;
  EXPECT_EQ(yours.memory[2 * Page], 0);
  EXPECT_FALSE(folded.isFolded(mine.block, Bytes));
}

TEST_F(Folding, APhaseOpensOnceEveryRankHasEnteredIt) {
  gnomon_fold_site site = siteThatFolds(2);
  Own own;
  folded.note(0, site, own.block, Bytes, Place::Movable);
  folded.begin(Plan::Plain, 1);
  EXPECT_FALSE(folded.isFolded(own.block, Bytes));
  EXPECT_EQ(folded.allocate(0, site, Bytes), nullptr);
  EXPECT_EQ(own.memory[2 * Page], 1);
  folded.reach(2);
  EXPECT_TRUE(folded.isFolded(own.block, Bytes));
  EXPECT_TRUE(folded.allocate(0, site, Bytes));
}

TEST_F(Folding, WhatMustBeRightIsKept) {
  gnomon_fold_site site = siteThatFolds();
  site.flags = 0;
  site.reason = "it decides";
  folded.begin(Plan::Plain, 9);
  EXPECT_EQ(folded.allocate(0, site, Bytes), nullptr);
  Own own;
  folded.note(0, site, own.block, Bytes, Place::Movable);
  EXPECT_EQ(folded.report().sites.at(0).why, "it decides");
  EXPECT_EQ(folded.report().bytes, Bytes);
}

TEST_F(Folding, WithDecisionsTheOtherPlanHolds) {
  gnomon_fold_site site = siteThatFolds();
  site.flags = 1U << GNOMON_PLAN_DECIDED;
  folded.begin(Plan::Plain, 0);
  EXPECT_FALSE(folded.allocate(0, site, Bytes));
  folded.begin(Plan::Decided, 0);
  EXPECT_TRUE(folded.allocate(0, site, Bytes));
}

// Intent: what is kept while bursts are executed may be folded, by a phase of its own, when they are only skipped.
TEST_F(Folding, WhereNothingIsExecutedAnotherPlanHolds) {
  gnomon_fold_site site = siteThatFolds(7);
  site.flags = 1U << GNOMON_PLAN_SKIPPED;
  site.skipped_phase = 1;
  site.reason = "an address";
  folded.begin(Plan::Plain, 1);
  EXPECT_FALSE(folded.allocate(0, site, Bytes));
  folded.begin(Plan::DecidedSkipped, 1);
  EXPECT_FALSE(folded.allocate(0, site, Bytes));
  folded.begin(Plan::Skipped, 1);
  EXPECT_TRUE(folded.allocate(0, site, Bytes));
  EXPECT_EQ(folded.report().sites.at(0).why, "");
}

// Intent: a large block is a small window that is shown again and again, of a bounded number.
TEST_F(Folding, LargeBlocksAreWindows) {
  FoldedMemory windowed{{.leastBytes = Page, .poisons = false, .windows = true}};
  gnomon_fold_site site = siteThatFolds();
  windowed.begin(Plan::Plain, 0);
  constexpr size_t Large = 1000 * FoldedMemory::WindowBytes;
  auto *block = static_cast<char *>(windowed.allocate(0, site, Large));
  ASSERT_TRUE(block);
  std::memset(block, 3, Large);
  EXPECT_EQ(block[Large - 1], 3);
  EXPECT_LE(windowed.report().residentBytes, Large / 32);
  EXPECT_EQ(windowed.allocate(1, site, Large), block);
  EXPECT_TRUE(windowed.isFolded(block, Large));
  EXPECT_TRUE(windowed.release(0, block));
}

// Intent: ranks that come later pass all phases again; what they allocate before is their own.
TEST_F(Folding, NewRanksPassPhasesAgain) {
  gnomon_fold_site site = siteThatFolds(1);
  folded.begin(Plan::Plain, 1);
  EXPECT_TRUE(folded.allocate(0, site, Bytes));
  folded.passAgain(0);
  EXPECT_FALSE(folded.allocate(1, site, Bytes));
  folded.reach(1);
  EXPECT_TRUE(folded.allocate(1, site, Bytes));
}

TEST_F(Folding, ARankThatIsMeasuredKeepsItsOwn) {
  gnomon_fold_site site = siteThatFolds();
  Own own;
  folded.keep(3);
  folded.note(3, site, own.block, Bytes, Place::Movable);
  folded.begin(Plan::Plain, 0);
  EXPECT_FALSE(folded.isFolded(own.block, Bytes));
  EXPECT_EQ(folded.allocate(3, site, Bytes), nullptr);
  EXPECT_TRUE(folded.allocate(2, site, Bytes));
}

} // namespace
