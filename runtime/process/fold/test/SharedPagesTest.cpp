// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: regions of shared pages have addresses of their own, and show through wherever they are mapped.
#include "process/fold/SharedPages.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>

using gnomon::process::fold::SharedPages;

namespace {

constexpr size_t Page = SharedPages::PageBytes;

TEST(SharedPages, RegionsAreApartAndReadAsZero) {
  SharedPages pages(64 * Page);
  char *first = pages.region(1), *second = pages.region(3 * Page + 1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second - first, static_cast<ptrdiff_t>(Page));
  EXPECT_EQ(second[3 * Page], 0);
  EXPECT_TRUE(pages.contains(first));
  EXPECT_FALSE(pages.contains(&pages));
}

TEST(SharedPages, WhatIsWrittenToARegionIsSeenWhereItIsMapped) {
  SharedPages pages(64 * Page);
  char *region = pages.region(2 * Page);
  auto *own = static_cast<char *>(
      mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::strcpy(own, "own");
  ASSERT_TRUE(pages.mapOver(own, own + 2 * Page, region));
  EXPECT_EQ(own[0], 0);
  std::strcpy(region + Page, "shared");
  EXPECT_STREQ(own + Page, "shared");
  munmap(own, 2 * Page);
}

TEST(SharedPages, OnlyTouchedPagesAreInMemory) {
  SharedPages pages(1024 * Page);
  char *region = pages.region(512 * Page);
  EXPECT_EQ(pages.residentBytes(), 0U);
  region[100 * Page] = 1;
  EXPECT_EQ(pages.residentBytes(), Page);
}

TEST(SharedPages, ThereAreNoMoreAddressesThanAskedFor) {
  SharedPages pages(4 * Page);
  EXPECT_TRUE(pages.region(3 * Page));
  EXPECT_FALSE(pages.region(2 * Page));
  EXPECT_TRUE(pages.region(Page));
}

} // namespace
