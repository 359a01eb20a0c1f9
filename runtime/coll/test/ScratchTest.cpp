// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: temporary buffers have the bytes asked for, are used again by whoever asks for as many,
// and are not kept when they are large.
#include "coll/Scratch.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstring>
#include <memory>
#include <vector>

namespace gnomon::coll::test {
namespace {

char *addressOf(int64_t bytes) { return Scratch(bytes).data(); }

TEST(Scratch, NothingForNothing) {
  EXPECT_EQ(addressOf(0), nullptr);
  EXPECT_EQ(addressOf(-1), nullptr);
  EXPECT_NE(addressOf(1), nullptr);
}

TEST(Scratch, IsUsedAgainByItsSizeClass) {
  for (int64_t size : {64, 128, 4096, 1 << 20}) {
    char *first = addressOf(size);
    EXPECT_EQ(addressOf(size), first) << size;
    EXPECT_EQ(addressOf(size / 2 + 1), first) << size;
    EXPECT_NE(addressOf(size + 1), first) << size;
    EXPECT_EQ(addressOf(size), first) << size;
  }
  EXPECT_EQ(addressOf(1), addressOf(64)); // the smallest class
}

TEST(Scratch, LargeOnesGoBackToTheSystem) {
  auto used = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const size_t before = used();
  {
    EXPECT_NE(Scratch((1 << 20) + 1).data(), nullptr);
  }
  EXPECT_LT(used(), before + (1 << 20));
}

TEST(Scratch, BuffersInUseAreApart) {
  std::vector<std::unique_ptr<Scratch>> buffers;
  const std::vector<int64_t> sizes{1, 63, 64, 65, 100, 128, 129, 5000, 1 << 20, (1 << 20) + 1};
  for (int round = 0; round < 2; ++round)
    for (size_t i = 0; i < sizes.size(); ++i) {
      buffers.push_back(std::make_unique<Scratch>(sizes[i]));
      EXPECT_EQ(reinterpret_cast<uintptr_t>(buffers.back()->data()) % 64, 0u);
      memset(buffers.back()->data(), static_cast<int>(buffers.size()),
             static_cast<size_t>(sizes[i]));
    }
  for (size_t i = 0; i < buffers.size(); ++i)
    for (int64_t at = 0; at < sizes[i % sizes.size()]; ++at)
      ASSERT_EQ(buffers[i]->data()[at], static_cast<char>(i + 1)) << i << " at " << at;
}

} // namespace
} // namespace gnomon::coll::test
