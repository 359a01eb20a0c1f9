// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what an arena gives begins at a cache line, overlaps nothing, and may be large.
#include "kernel/Arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

using namespace gnomon::kernel;

TEST(Arena, GivesWholeLinesThatOverlapNothing) {
  Arena arena;
  struct Piece {
    unsigned char *begin;
    size_t bytes;
  };
  std::vector<Piece> pieces;
  for (size_t i = 0; i < 3000; ++i) { // beyond the first region, and the second
    const size_t bytes = 1 + i % 3000;
    auto *begin = static_cast<unsigned char *>(arena.allocate(bytes));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(begin) % 64, 0u);
    for (size_t at = 0; at < bytes; ++at)
      ASSERT_EQ(begin[at], 0);
    std::memset(begin, static_cast<int>(1 + i % 250), bytes);
    pieces.push_back({begin, bytes});
  }
  for (size_t i = 0; i < pieces.size(); ++i)
    for (size_t at = 0; at < pieces[i].bytes; ++at)
      ASSERT_EQ(pieces[i].begin[at], 1 + i % 250);
}

TEST(Arena, GivesMoreThanALargePage) {
  Arena arena;
  constexpr size_t Bytes = size_t{5} << 20;
  auto *begin = static_cast<char *>(arena.allocate(Bytes));
  begin[0] = begin[Bytes - 1] = 1;
  EXPECT_NE(arena.allocate(1), begin);
}
