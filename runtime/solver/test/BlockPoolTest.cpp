// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: blocks keep what is in them as they grow, do not overlap, and are used again by those of
// their size; what a block that grows leaves unused is a third at most from four elements on.
#include "solver/BlockPool.h"

#include <gtest/gtest.h>

namespace gnomon::solver {
namespace {

TEST(BlockPool, RoomGrowsByAThirdOrAHalf) {
  std::vector<uint32_t> rooms;
  for (uint32_t room = 0; room < 64;)
    rooms.push_back(room = BlockPool<int>::roomAfter(room));
  EXPECT_EQ(rooms, (std::vector<uint32_t>{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}));
}

TEST(BlockPool, GrownBlocksKeepTheirElements) {
  constexpr uint32_t Blocks = 5, Elements = 300;
  BlockPool<uint32_t> pool;
  uint32_t first[Blocks], room[Blocks] = {};
  for (uint32_t count = 0; count < Elements; ++count)
    for (uint32_t block = 0; block < Blocks; ++block) {
      if (count == room[block]) {
        const uint32_t larger = pool.roomAfter(count);
        first[block] = count == 0 ? pool.allocate(larger) : pool.grow(first[block], count, larger);
        room[block] = larger;
      }
      pool[first[block] + count] = block * Elements + count;
    }
  for (uint32_t block = 0; block < Blocks; ++block)
    for (uint32_t count = 0; count < Elements; ++count)
      ASSERT_EQ(pool[first[block] + count], block * Elements + count);
}

TEST(BlockPool, BlocksOfOneSizeAreUsedAgain) {
  BlockPool<int> pool;
  for (const uint32_t count : {1U, 16U, 17U, 24U, 25U, 32U, 33U, 1000U}) {
    const uint32_t first = pool.allocate(count);
    pool.release(first, count);
    EXPECT_EQ(pool.allocate(count), first) << count;
    EXPECT_NE(pool.allocate(count), first) << count;
  }
  // 17 to 24 take 24 places, 25 to 32 take 32.
  const uint32_t first = pool.allocate(20);
  pool.release(first, 20);
  EXPECT_NE(pool.allocate(25), first);
  EXPECT_EQ(pool.allocate(24), first);
}

} // namespace
} // namespace gnomon::solver
