// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pages of a file are seen wherever they are mapped; what the owner of a private mapping writes stays with it.
#include "process/image/PageFile.h"

#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>

using gnomon::process::PageFile;

namespace {

constexpr size_t Page = PageFile::PageBytes;

struct Room {
  char *begin = static_cast<char *>(
      mmap(nullptr, 4 * Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ~Room() { munmap(begin, 4 * Page); }
};

TEST(PageFile, GrowsByWholePagesThatAreZeroAndTakeNoMemory) {
  PageFile file("test");
  EXPECT_EQ(file.extend(1), 0U);
  EXPECT_EQ(file.extend(Page + 1), Page);
  EXPECT_EQ(file.extend(Page), 3 * Page);
  EXPECT_EQ(file.residentBytes(), 0U);
}

TEST(PageFile, PrivateMappingsShowTheFileUntilTheyAreWritten) {
  PageFile file("test");
  ASSERT_TRUE(file.extend(2 * Page));
  ASSERT_TRUE(file.write(Page, "initial", 8));
  const Room first, second;
  ASSERT_TRUE(file.mapPrivate(first.begin, 2 * Page, 0));
  ASSERT_TRUE(file.mapPrivate(second.begin, Page, Page));
  EXPECT_STREQ(first.begin + Page, "initial");
  std::strcpy(first.begin + Page, "own");
  EXPECT_STREQ(second.begin, "initial");
  EXPECT_EQ(file.residentBytes(), Page);
}

TEST(PageFile, SharedMappingsShowWhatOthersWrite) {
  PageFile file("test");
  ASSERT_TRUE(file.extend(Page));
  const Room first, second;
  ASSERT_TRUE(file.mapShared(first.begin, Page, 0));
  ASSERT_TRUE(file.mapShared(second.begin, Page, 0));
  std::strcpy(first.begin, "seen");
  EXPECT_STREQ(second.begin, "seen");
}

} // namespace
