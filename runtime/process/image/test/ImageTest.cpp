// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: large tables of initial values are in memory once for all ranks; each rank reads its own values, whatever
// others have written, and small globals are laid out as ever.
#include "process/image/Image.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace gnomon::process;

namespace {

constexpr size_t Words = size_t{64} << 10, Page = PageFile::PageBytes; // 512 KiB
constexpr uint32_t Ranks = 64;

bool always(const gnomon_module &, uint32_t) { return true; }

/// A program's section: a table between small globals, one of which points into it.
struct Section {
  long before[3];
  long table[Words];
  long *pointer;
  long zero[5000];
};

class TablesOfRanks : public testing::Test {
protected:
  TablesOfRanks() {
    section_.before[1] = 7;
    std::iota(std::begin(section_.table), std::end(section_.table), 1);
    section_.pointer = &section_.table[Words / 2];
    module_.private_begin = reinterpret_cast<char *>(&section_);
    module_.data_end = module_.zero_begin = reinterpret_cast<char *>(&section_.zero);
    module_.private_end = module_.private_begin + sizeof(Section);
    module_.alignment = 64;
    module_.delta = &delta_;
    module_.relocations = &relocation_;
    module_.relocation_count = 1;
  }

  Section &of(uint32_t rank) {
    images.select(rank);
    return *reinterpret_cast<Section *>(reinterpret_cast<char *>(&section_) + delta_);
  }
  void expectInitial(const Section &copy) {
    EXPECT_EQ(copy.before[1], 7);
    EXPECT_TRUE(std::equal(std::begin(copy.table), std::end(copy.table), section_.table));
    EXPECT_EQ(copy.pointer, &copy.table[Words / 2]);
    EXPECT_EQ(copy.zero[4999], 0);
  }

  Images images;
  gnomon_module *modules_[1] = {&module_};
  static inline Section section_ = {};
  static inline intptr_t delta_;
  static inline gnomon_relocation relocation_{reinterpret_cast<char *>(&section_.pointer), nullptr};
  gnomon_module module_ = {};
};

TEST_F(TablesOfRanks, AreInMemoryOnceForEachPlaceOfAPage) {
  images.build(modules_, Ranks, always);
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    expectInitial(of(rank));
  EXPECT_GT(images.commonBytes(), 7 * sizeof section_.table);
  EXPECT_LE(images.commonBytes(), 8 * sizeof section_.table);
}

TEST_F(TablesOfRanks, AreARanksOwnWhereItWrites) {
  images.build(modules_, Ranks, always);
  const uint64_t before = images.commonBytes();
  std::fill(std::begin(of(8).table), std::end(of(8).table), -1); // at the same place of a page as 0
  expectInitial(of(0));
  expectInitial(of(16));
  EXPECT_EQ(of(8).table[Words - 1], -1);
  EXPECT_EQ(images.commonBytes(), before);
}

TEST_F(TablesOfRanks, AreTheInitialOnesForRanksThatStartLater) {
  images.build(modules_, 1, always);
  of(0).table[5] = 99;
  images.reserve(1, 20);
  images.fill(1, 20, always);
  section_.table[5] = 6; // as it was, for the comparison; the only rank ran on the section
  for (uint32_t rank = 1; rank < 21; ++rank)
    expectInitial(of(rank));
  EXPECT_GT(images.commonBytes(), 0U);
}

TEST_F(TablesOfRanks, AreCopiedWhereTheyAreSmall) {
  module_.data_end = module_.private_begin + CommonPages::LeastBytes - 256;
  module_.zero_begin = module_.private_end = module_.data_end;
  module_.relocation_count = 0;
  images.build(modules_, Ranks, always);
  EXPECT_EQ(of(Ranks - 1).table[1000], 1001);
  EXPECT_EQ(images.commonBytes(), 0U);
}

TEST_F(TablesOfRanks, LieAlikeOnAllRanksWhereTheyAreToBeFarApart) {
  constexpr intptr_t Apart = 1 << 22;
  placeCopiesApart(Apart);
  images.build(modules_, Ranks, always);
  placeCopiesApart(0);
  char *const first = reinterpret_cast<char *>(&of(0));
  for (uint32_t rank = 0; rank < Ranks; ++rank) {
    expectInitial(of(rank));
    EXPECT_EQ(reinterpret_cast<char *>(&of(rank)) - first, rank * Apart);
  }
}

TEST_F(TablesOfRanks, LieAsNearAsTheyGoWhereThereIsNoRoom) {
  placeCopiesApart(size_t{1} << 46); // 64 of them are more than an address can tell
  images.build(modules_, Ranks, always);
  placeCopiesApart(0);
  expectInitial(of(Ranks - 1));
  EXPECT_LT(reinterpret_cast<char *>(&of(1)) - reinterpret_cast<char *>(&of(0)), 1 << 20);
}

TEST_F(TablesOfRanks, AreCountedAsWhatTheyTake) {
  const InitialBytes bytes = initialBytes(module_, Ranks);
  EXPECT_LT(bytes.each, 4 * Page);
  EXPECT_GT(bytes.together, 7 * sizeof section_.table);
  EXPECT_LE(bytes.together, 8 * (sizeof section_.table + Page));
}

TEST(CommonPages, LargestTablesGetTheMappings) {
  const Part parts[] = {{0, CommonPages::LeastBytes}, {1 << 20, 1 << 20}, {1 << 22, 1 << 19}};
  const CommonPages pages(parts, {});
  ASSERT_EQ(pages.tables(), 3U);
  const std::vector<uint32_t> few = pages.plan(10), many = pages.plan(1 << 20);
  EXPECT_EQ(few, (std::vector<uint32_t>{10, 10, 10}));
  EXPECT_GT(many[0], 1000U); // of 65,530 mappings by default, a quarter of those that are left
  EXPECT_LT(many[0], 1U << 20);
  EXPECT_LE(many[1], 1U);
  EXPECT_EQ(many[2], 0U);
}

TEST(CommonPages, PagesThatEachRankChangesAreNotWorthAMapping) {
  const Part parts[] = {{0, 16 * Page}};
  std::vector<size_t> slots;
  for (size_t page = 0; page < 16; page += 2)
    slots.push_back(page * Page + 8);
  EXPECT_EQ(CommonPages(parts, {}).tables(), 1U);
  EXPECT_EQ(CommonPages(parts, slots).tables(), 0U);
}

} // namespace
