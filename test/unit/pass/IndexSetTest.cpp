// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/IndexSet.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <set>
#include <vector>

using gnomon::pointsto::IndexSet;

namespace {

using Plain = std::set<uint32_t>;

IndexSet indexSet(const Plain &members) {
  llvm::SmallVector<uint32_t> numbers(members.begin(), members.end());
  std::reverse(numbers.begin(), numbers.end());
  return IndexSet::of(numbers);
}

Plain plain(const IndexSet &set) { return {set.begin(), set.end()}; }

/// Up to `most` numbers, near each other or far apart: in few chunks or in many.
Plain someNumbers(std::mt19937 &random, size_t most) {
  Plain numbers;
  const uint32_t range = random() % 2 ? 100 : 100'000;
  for (size_t i = random() % (most + 1); i > 0; --i)
    numbers.insert(static_cast<uint32_t>(random() % range));
  return numbers;
}

void expectSame(const IndexSet &set, const Plain &members) {
  EXPECT_EQ(plain(set), members);
  EXPECT_EQ(set.count(), members.size());
  EXPECT_EQ(set.empty(), members.empty());
  EXPECT_EQ(set.holdsZero(), members.contains(0));
  EXPECT_EQ(set, indexSet(members));
  for (uint32_t member : members)
    EXPECT_TRUE(set.test(member));
  for (const IndexSet::Chunk &chunk : set.chunks())
    EXPECT_NE(chunk.bits, 0u);
}

// Intent: a set does what a set of the standard library does.
TEST(IndexSet, IsASet) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Plain a = someNumbers(random, 60), b = someNumbers(random, 60);
    expectSame(indexSet(a), a);

    IndexSet joined = indexSet(a);
    Plain both = a;
    both.insert(b.begin(), b.end());
    EXPECT_EQ(joined |= indexSet(b), both.size() > a.size());
    expectSame(joined, both);

    IndexSet common = indexSet(a);
    common &= indexSet(b);
    Plain inBoth;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(inBoth, inBoth.end()));
    expectSame(common, inBoth);

    IndexSet rest = indexSet(a);
    rest -= indexSet(b);
    Plain onlyInA;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(onlyInA, onlyInA.end()));
    expectSame(rest, onlyInA);
    EXPECT_EQ(indexSet(a) == indexSet(b), a == b);
  }
}

// Intent: numbers that come one by one, in any order, are told new once each.
TEST(IndexSet, TellsWhatIsNew) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    IndexSet set;
    Plain members;
    for (int i = 0; i < 200; ++i) {
      const auto member = static_cast<uint32_t>(random() % 400);
      EXPECT_EQ(set.test(member), members.contains(member));
      EXPECT_EQ(set.insert(member), members.insert(member).second);
    }
    expectSame(set, members);
    set.clear();
    expectSame(set, {});
  }
}

} // namespace
