// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: large blocks do not overlap, keep their content, say truly which of their bytes are still
// zero, and go back to the kernel when many are free; huge pages are given up once they come
// slowly.
#include "process/libc/LargeBlocks.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <sys/mman.h>
#include <vector>

using namespace gnomon::process;

namespace {

constexpr size_t MiB = size_t{1} << 20;
constexpr size_t RangeBytes = 512 * MiB;

struct CountingMemory final : LargeBlocks::Memory {
  size_t grown = 0, discarded = 0;
  char *expected = nullptr;
  void grow(char *begin, char *end) override {
    EXPECT_EQ(begin, expected);
    expected = end;
    grown += static_cast<size_t>(end - begin);
  }
  void discard(char *begin, char *end) override {
    discarded += static_cast<size_t>(end - begin);
    madvise(begin, static_cast<size_t>(end - begin), MADV_DONTNEED);
  }
};

class LargeBlocksTest : public testing::Test {
protected:
  void SetUp() override {
    void *mapping = mmap(nullptr, RangeBytes + HugePageBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(mapping, MAP_FAILED);
    mapping_ = mapping;
    auto address =
        (reinterpret_cast<uintptr_t>(mapping) + HugePageBytes - 1) / HugePageBytes * HugePageBytes;
    memory.expected = begin = reinterpret_cast<char *>(address);
    blocks.emplace(begin, RangeBytes, memory);
  }
  void TearDown() override { munmap(mapping_, RangeBytes + HugePageBytes); }

  char *allocate(size_t bytes) {
    dirty = 0;
    return static_cast<char *>(blocks->allocate(bytes, dirty));
  }

  CountingMemory memory;
  std::optional<LargeBlocks> blocks;
  char *begin = nullptr;
  size_t dirty = 0;

private:
  void *mapping_ = nullptr;
};

TEST_F(LargeBlocksTest, BlocksLieSideBySide) {
  char *first = allocate(256 * 1024), *second = allocate(256 * 1024);
  EXPECT_EQ(second - first, 256 * 1024 + 64);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0U);
  EXPECT_EQ(memory.grown, 2 * MiB);
  EXPECT_EQ(LargeBlocks::capacity(first), 256U * 1024);
  EXPECT_EQ(LargeBlocks::capacity(first + 64), 0U);
  EXPECT_EQ(LargeBlocks::capacity(first + 1), 0U);
}

TEST_F(LargeBlocksTest, NeighboursThatAreFreeBecomeOne) {
  char *a = allocate(MiB), *b = allocate(MiB), *c = allocate(MiB), *last = allocate(MiB);
  blocks->release(a);
  blocks->release(c);
  blocks->release(b);
  EXPECT_EQ(LargeBlocks::capacity(b), 0U);
  EXPECT_EQ(allocate(3 * MiB), a);
  EXPECT_NE(last, nullptr);
}

TEST_F(LargeBlocksTest, TheSmallestRangeThatIsLargeEnoughIsTaken) {
  char *large = allocate(3 * MiB), *between = allocate(MiB), *small = allocate(MiB),
       *end = allocate(MiB);
  blocks->release(large);
  blocks->release(small);
  EXPECT_EQ(allocate(MiB), small);
  EXPECT_EQ(allocate(5 * MiB / 2), large);
  EXPECT_TRUE(between && end);
}

TEST_F(LargeBlocksTest, FreshBytesAreKnownToBeZero) {
  char *a = allocate(MiB);
  EXPECT_EQ(dirty, 0U);
  char *b = allocate(MiB - 4096);
  blocks->release(a);
  EXPECT_EQ(allocate(MiB), a);
  EXPECT_EQ(dirty, MiB);
  blocks->release(b); // followed by bytes that nobody has had
  EXPECT_EQ(allocate(4 * MiB), b);
  EXPECT_EQ(dirty, MiB - 4096);
}

TEST_F(LargeBlocksTest, GrowsAndShrinksInPlace) {
  char *a = allocate(MiB);
  EXPECT_TRUE(blocks->resize(a, 5 * MiB));
  EXPECT_EQ(LargeBlocks::capacity(a), 5 * MiB);
  char *b = allocate(MiB);
  EXPECT_FALSE(blocks->resize(a, 6 * MiB));
  EXPECT_TRUE(blocks->resize(a, 2 * MiB));
  char *c = allocate(5 * MiB / 2);
  EXPECT_TRUE(c > a && c < b);
  EXPECT_FALSE(blocks->resize(a, 5 * MiB));
  EXPECT_TRUE(blocks->resize(b, 100 * MiB));
}

TEST_F(LargeBlocksTest, AFullRangeSaysSo) {
  EXPECT_EQ(allocate(RangeBytes), nullptr);
  EXPECT_EQ(allocate(SIZE_MAX), nullptr);
  char *most = allocate(RangeBytes - 2 * MiB);
  EXPECT_NE(most, nullptr);
  EXPECT_EQ(allocate(3 * MiB), nullptr);
  EXPECT_FALSE(blocks->resize(most, RangeBytes));
  EXPECT_FALSE(blocks->resize(most, SIZE_MAX));
}

TEST_F(LargeBlocksTest, MuchFreeMemoryGoesBack) {
  char *a = allocate(60 * MiB);
  blocks->release(a);
  EXPECT_EQ(memory.discarded, 0U);
  char *b = allocate(200 * MiB);
  std::memset(b, 1, 200 * MiB);
  blocks->release(b);
  EXPECT_EQ(memory.discarded, memory.grown - LargeBlocks::KeptBytes);
  EXPECT_EQ(begin[40 * MiB], 0);
  EXPECT_EQ(begin[30 * MiB], 1);
}

// Intent: what is not wanted again goes back at once, in whole pages, and no more of it than there
// ever was.
TEST_F(LargeBlocksTest, ABlockThatIsNotWantedAgainGoesBack) {
  char *a = allocate(MiB), *b = allocate(MiB);
  std::memset(a, 1, MiB);
  std::memset(b, 2, MiB);
  blocks->release(a, LargeBlocks::Pages::Discarded);
  EXPECT_EQ(memory.discarded, MiB); // its header's line begins a page
  EXPECT_EQ(a[4096], 0);
  EXPECT_EQ(b[0], 2);
  EXPECT_EQ(allocate(MiB), a);
  EXPECT_EQ(dirty, MiB) << "what it holds is not known to be zero";
  std::memset(a, 3, MiB);
  blocks->release(a, LargeBlocks::Pages::Discarded);
  EXPECT_EQ(memory.grown, 4 * MiB);
  for (int i = 0; i < 5; ++i)
    blocks->release(allocate(MiB), LargeBlocks::Pages::Discarded);
  EXPECT_EQ(memory.discarded, 3 * MiB) << "a fourth block with its header is more than has grown";
}

TEST_F(LargeBlocksTest, ALongHistoryKeepsEveryContent) {
  struct Held {
    size_t bytes;
    char value;
  };
  std::map<char *, Held> held;
  std::minstd_rand random(1);
  for (int step = 0; step < 3000; ++step) {
    auto pick = held.begin();
    std::advance(pick, held.empty() ? 0 : random() % held.size());
    size_t bytes = 1 + random() % (2 * MiB);
    if (held.size() < 40 || random() % 2 == 0) {
      char *block = allocate(bytes);
      ASSERT_NE(block, nullptr);
      for (size_t i = dirty; i < bytes; i += 509)
        ASSERT_EQ(block[i], 0) << "step " << step;
      std::memset(block, step % 127 + 1, bytes);
      held[block] = {bytes, static_cast<char>(step % 127 + 1)};
      continue;
    }
    auto [block, was] = *pick;
    for (size_t i = 0; i < was.bytes; i += 509)
      ASSERT_EQ(block[i], was.value) << "step " << step;
    if (random() % 3 == 0 && blocks->resize(block, bytes)) {
      std::memset(block, was.value, bytes);
      pick->second.bytes = bytes;
      continue;
    }
    blocks->release(block, step % 5 ? LargeBlocks::Pages::Kept : LargeBlocks::Pages::Discarded);
    held.erase(pick);
  }
}

TEST(HugePagePolicy, SlowPagesEndIt) {
  HugePagePolicy policy;
  for (int i = 0; i < 1000; ++i)
    policy.touched(0.2e-3);
  EXPECT_TRUE(policy.worthwhile());
  policy.touched(5e-3); // what was quick before buys nothing
  EXPECT_TRUE(policy.worthwhile());
  policy.touched(5e-3);
  policy.touched(5e-3);
  EXPECT_FALSE(policy.worthwhile());
}

// Intent: blocks that are aligned to pages begin at the same place of a page, and share none, also where
// others were allocated and freed before.
TEST_F(LargeBlocksTest, BlocksCanBeginAtTheSamePlaceOfAPage) {
  std::vector<char *> before;
  for (size_t bytes : {size_t{100000}, size_t{70000}, size_t{300000}})
    before.push_back(allocate(bytes));
  blocks->release(before[1]);
  blocks->alignToPages();
  std::vector<std::pair<uintptr_t, uintptr_t>> pages;
  for (size_t bytes : {size_t{50000}, size_t{4032}, size_t{4033}, MiB, size_t{123456}}) {
    char *block = allocate(bytes);
    ASSERT_TRUE(block);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 4096, 64U) << bytes;
    EXPECT_GE(LargeBlocks::capacity(block), bytes);
    const uintptr_t first = reinterpret_cast<uintptr_t>(block) / 4096;
    pages.emplace_back(first, first + (bytes + 64 + 4095) / 4096);
  }
  for (const char *block : {before[0], before[2]})
    pages.emplace_back(
        reinterpret_cast<uintptr_t>(block) / 4096,
        (reinterpret_cast<uintptr_t>(block) + LargeBlocks::capacity(block) - 1) / 4096 + 1);
  std::sort(pages.begin(), pages.end());
  for (size_t i = 1; i < pages.size(); ++i)
    EXPECT_GE(pages[i].first, pages[i - 1].second) << i;
}

} // namespace
