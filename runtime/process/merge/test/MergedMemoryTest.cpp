// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pages of the same content become one and those of zeros go, which nobody can read; a page that is written is
// its owner's; what is freed, resized or left alone keeps what it must; mappings stay within what is allowed.
#include "process/merge/MergedMemory.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/mman.h>
#include <vector>

using namespace gnomon::process::merge;

namespace {

constexpr size_t Page = MergedMemory::PageBytes, Pages = 64, Bytes = Pages * Page, All = 1 << 20;
constexpr size_t Words = Bytes / sizeof(int), WordsOfPage = Page / sizeof(int);

/// An area of a rank.
struct Area {
  char *begin = static_cast<char *>(
      mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ~Area() { munmap(begin, Bytes); }
  int *words() const { return reinterpret_cast<int *>(begin); }
  void fill(int first) const { std::iota(words(), words() + Words, first); }
  bool holds(int first) const {
    std::vector<int> expected(Words);
    std::iota(expected.begin(), expected.end(), first);
    return std::equal(expected.begin(), expected.end(), words());
  }
};

class Merging : public testing::Test {
protected:
  void add(const Area &area, uint32_t rank) {
    memory.add(rank, area.begin, area.begin + Bytes, Backing::Anonymous);
  }
  Figures lookAtAll() {
    for (uint32_t rank = 0; rank < 3; ++rank)
      memory.look(rank, All);
    return memory.figures();
  }

  MergedMemory memory{1000};
  Area first, second, third;
};

TEST_F(Merging, EqualPagesBecomeOne) {
  first.fill(1), second.fill(1), third.fill(1);
  add(first, 0), add(second, 1), add(third, 2);
  ASSERT_EQ(memory.error(), 0);
  const Figures figures = lookAtAll();
  EXPECT_EQ(figures.mergedPages, 3 * Pages);
  EXPECT_EQ(figures.givenBackBytes, 2 * Bytes);
  EXPECT_EQ(figures.residentBytes, Bytes);
  EXPECT_LE(figures.runs, 3U);
  EXPECT_TRUE(first.holds(1) && second.holds(1) && third.holds(1));
}

TEST_F(Merging, AWrittenPageIsItsOwners) {
  first.fill(1), second.fill(1);
  add(first, 0), add(second, 1);
  lookAtAll();
  second.words()[5] = -1;
  EXPECT_TRUE(first.holds(1));
  EXPECT_EQ(second.words()[5], -1);
  EXPECT_EQ(second.words()[6], 7);
  const Figures figures = memory.figures();
  EXPECT_EQ(figures.splitPages, 1U);
  EXPECT_EQ(figures.givenBackBytes, Bytes - Page);
  second.words()[5] = 6; // equal again, but it was just written
  for (int look = 0; look < 2; ++look) {
    memory.look(2, All);
    EXPECT_EQ(memory.figures().mergedPages, 2 * Pages);
  }
  memory.look(2, All);
  EXPECT_EQ(memory.figures().mergedPages, 2 * Pages + 1);
  EXPECT_TRUE(second.holds(1));
}

TEST_F(Merging, ZerosGoBack) {
  std::memset(first.begin, 1, Bytes);
  std::memset(first.begin + Page, 0, 5 * Page);
  add(first, 0);
  EXPECT_EQ(lookAtAll().zeroPages, 5U);
  EXPECT_EQ(first.begin[2 * Page], 0);
  EXPECT_EQ(first.begin[0], 1);
  EXPECT_EQ(memory.figures().splitPages, 0U) << "reading is not writing";
  first.begin[2 * Page] = 3;
  EXPECT_EQ(memory.figures().splitPages, 1U);
}

TEST_F(Merging, WhatNobodyHasTouchedStaysSo) {
  add(first, 0);
  const Figures figures = lookAtAll();
  EXPECT_EQ(figures.lookedAtPages, 0U);
  EXPECT_EQ(figures.givenBackBytes, 0U);
}

TEST_F(Merging, DifferentPagesStayApart) {
  first.fill(1), second.fill(2);
  add(first, 0), add(second, 1);
  EXPECT_EQ(lookAtAll().mergedPages, 0U);
}

TEST_F(Merging, PagesAreFoundWhereverTheyLie) {
  first.fill(0);
  std::memcpy(second.begin + 10 * Page, first.begin + 20 * Page, 30 * Page);
  add(first, 0), add(second, 1);
  const Figures figures = lookAtAll();
  EXPECT_EQ(figures.mergedPages, 60U);
  EXPECT_EQ(figures.runs, 2U);
  EXPECT_EQ(second.words()[10 * WordsOfPage], static_cast<int>(20 * WordsOfPage));
}

TEST_F(Merging, AnOriginalThatGoesIsNotShown) {
  first.fill(1);
  std::memcpy(second.begin, first.begin + 40 * Page, 2 * Page);
  add(first, 0), add(second, 1);
  lookAtAll();
  memory.forget(
      second.begin); // pages 40 and 41 of the first area are the last that show their originals
  std::memcpy(first.begin, first.begin + 40 * Page, 2 * Page);
  first.words()[41 * WordsOfPage] = -1; // found out in the same look in which page 1 is compared
  lookAtAll();
  EXPECT_EQ(first.words()[WordsOfPage], static_cast<int>(41 * WordsOfPage + 1));
  EXPECT_EQ(first.words()[0], static_cast<int>(40 * WordsOfPage + 1));
  EXPECT_EQ(first.words()[41 * WordsOfPage], -1);
}

TEST_F(Merging, PagesThatAreAllAlikeAreMergedWithThoseOfOthers) {
  std::memset(first.begin, 7, Bytes);
  std::memset(second.begin, 7, Bytes);
  add(first, 0);
  EXPECT_EQ(lookAtAll().mergedPages, 0U) << "there would be as many originals as pages";
  add(second, 1);
  const Figures figures = lookAtAll();
  EXPECT_EQ(figures.givenBackBytes, Bytes);
  EXPECT_EQ(figures.runs, 2U);
}

TEST_F(Merging, FreedMemoryIsPlainAgainAndOthersKeepTheirs) {
  first.fill(1), second.fill(1), third.fill(1);
  add(first, 0), add(second, 1);
  lookAtAll();
  memory.forget(first.begin);
  EXPECT_EQ(first.words()[3], 4) << "malloc's own words in front of a block";
  EXPECT_EQ(first.words()[WordsOfPage], 0);
  EXPECT_TRUE(second.holds(1));
  EXPECT_EQ(memory.figures().runs, 1U);
  add(third, 2); // the original is still known
  EXPECT_EQ(lookAtAll().residentBytes, Bytes);
  memory.forget(second.begin);
  memory.forget(third.begin);
  EXPECT_EQ(memory.figures().residentBytes, 0U);
}

TEST_F(Merging, AShorterBlockKeepsItsBeginning) {
  first.fill(1), second.fill(1);
  add(first, 0), add(second, 1);
  lookAtAll();
  memory.resize(first.begin, first.begin + 4 * Page);
  EXPECT_EQ(first.words()[4 * WordsOfPage - 1], static_cast<int>(4 * WordsOfPage));
  EXPECT_EQ(first.words()[4 * WordsOfPage], 0);
  EXPECT_EQ(memory.figures().givenBackBytes, 4 * Page);
}

TEST_F(Merging, WhatIsLeftAloneIsAnonymousWithTheSameContent) {
  first.fill(1), second.fill(1);
  add(first, 0), add(second, 1);
  lookAtAll();
  memory.leaveAlone(first.begin + Page, first.begin + 2 * Page);
  EXPECT_TRUE(first.holds(1));
  madvise(first.begin, Bytes, MADV_DONTNEED);
  EXPECT_EQ(first.words()[1], 0) << "of a file it would be what it was";
  first.fill(1);
  EXPECT_EQ(lookAtAll().givenBackBytes, 0U);
}

TEST_F(Merging, MappingsStayWithinWhatIsAllowed) {
  MergedMemory few(16);
  first.fill(1), second.fill(1);
  for (size_t i = 0; i < Pages; i += 2) // every other page differs: a mapping for each
    second.words()[i * WordsOfPage] = -1;
  few.add(0, first.begin, first.begin + Bytes, Backing::Anonymous);
  few.add(1, second.begin, second.begin + Bytes, Backing::Anonymous);
  few.look(0, All);
  few.look(1, All);
  const Figures figures = few.figures();
  EXPECT_GT(figures.mergedPages, 0U);
  EXPECT_LE(2 * figures.runs, 16U + 4);
  EXPECT_EQ(second.words()[0], -1);
  EXPECT_EQ(second.words()[WordsOfPage], static_cast<int>(WordsOfPage + 1));
}

} // namespace
