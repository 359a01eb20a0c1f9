// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: equal pages have the same hash and others another one, wherever they differ; the table finds what was entered
// last, and forgets what cannot be any more, but nothing else.
#include "process/merge/ContentTable.h"

#include "process/image/PageFile.h"

#include <array>
#include <gtest/gtest.h>
#include <set>

using namespace gnomon::process;
using namespace gnomon::process::merge;

namespace {

using Page = std::array<char, PageFile::PageBytes>;

TEST(Content, DiffersWhereverAByteDoes) {
  Page page{};
  EXPECT_TRUE(contentOf(page.data()).isZero);
  std::set<uint64_t> hashes{contentOf(page.data()).hash};
  for (size_t at = 0; at < page.size(); ++at) {
    page[at] = 1;
    const Content content = contentOf(page.data());
    EXPECT_FALSE(content.isZero);
    EXPECT_TRUE(hashes.insert(content.hash).second) << at;
    page[at] = 0;
  }
  EXPECT_EQ(hashes.count(contentOf(page.data()).hash), 1U);
}

TEST(Content, DiffersWhereWordsAreExchanged) {
  Page first{}, second{};
  first[0] = second[32] = 1;
  first[32] = second[0] = 2;
  EXPECT_NE(contentOf(first.data()).hash, contentOf(second.data()).hash);
}

TEST(ContentTable, FindsTheLatestPageOfAContent) {
  ContentTable table([](uint64_t, uintptr_t) { return true; });
  EXPECT_EQ(table.find(7), 0U);
  table.set(7, 4096);
  table.set(8, 8192); // at the same place
  EXPECT_EQ(table.find(7), 4096U);
  EXPECT_EQ(table.find(8), 8192U);
  table.set(7, 12288);
  EXPECT_EQ(table.find(7), 12288U);
}

TEST(ContentTable, ForgetsWhatIsNotThereWhenItGrows) {
  constexpr uint64_t Last = 100000, Spread = 0x9e3779b97f4a7c15;
  ContentTable table([&](uint64_t hash, uintptr_t page) {
    EXPECT_EQ(hash, page / 4096 * Spread);
    return page % 8192 == 0;
  });
  for (uint64_t number = 1; number <= Last; ++number)
    table.set(number * Spread, number * 4096);
  EXPECT_EQ(table.find(Spread), 0U);
  EXPECT_EQ(table.find(2 * Spread), 8192U);
  EXPECT_EQ(table.find(Last * Spread), Last * 4096);
}

} // namespace
