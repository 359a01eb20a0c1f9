// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a type made from the numbers of a layout has its bytes in the same places and the same
// order, tile after tile; numbers that are no layout make no type.
#include "mpi/datatype/FlatLayout.h"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace gnomon::mpi;

namespace {

constexpr size_t Plenty = 1000;
using Places = std::vector<std::pair<int64_t, int64_t>>;

const Datatype &byte() { return Datatype::predefined(0x247); }

/// Of two tiles, touching runs joined.
Places places(const Layout &layout, int64_t extent) {
  Places found;
  for (LayoutCursor cursor(layout, 2, extent); !cursor.done();) {
    const int64_t offset = cursor.offset(), bytes = cursor.available();
    if (!found.empty() && found.back().first + found.back().second == offset)
      found.back().second += bytes;
    else
      found.emplace_back(offset, bytes);
    cursor.advance(bytes);
  }
  return found;
}

void expectSame(const Datatype &type) {
  const OwnedType again = typeOfLayout(flatten(type.layout(), Plenty), type.extent());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->size(), type.size());
  EXPECT_EQ(again->extent(), type.extent());
  EXPECT_EQ(places(again->layout(), again->extent()), places(type.layout(), type.extent()));
}

} // namespace

TEST(FlatLayout, MakesTheSamePlaces) {
  const OwnedType row(Datatype::hvector(5, 3, 7, byte()));
  const OwnedType plane(Datatype::hvector(4, 2, 100, *row));
  const std::vector<int64_t> lengths{1, 4, 2, 7}, offsets{3, 8, 30, 41};
  const OwnedType irregular(Datatype::hindexed(lengths, offsets, byte()));
  const std::vector<int64_t> ones{1, 2}, apart{5, 500};
  const std::vector<const Datatype *> parts{plane.get(), irregular.get()};
  const OwnedType mixed(Datatype::structure(ones, apart, parts));
  const OwnedType wide(Datatype::resized(*mixed, 0, 2000));
  for (const OwnedType *type : {&row, &plane, &irregular, &mixed, &wide})
    expectSame(**type);
  expectSame(byte());
  const OwnedType nothing(Datatype::contiguous(0, byte()));
  expectSame(*nothing);
}

TEST(FlatLayout, HasFourNumbersForALoop) {
  const OwnedType doubles(Datatype::hvector(4, 8, 100, byte()));
  EXPECT_EQ(flatten(doubles->layout(), Plenty), (std::vector<int64_t>{1, 0, 4, 100, 8}));
  EXPECT_TRUE(flatten(doubles->layout(), 4).empty());
  EXPECT_FALSE(flatten(doubles->layout(), 5).empty());
}

TEST(FlatLayout, DamagedNumbersMakeNoType) {
  constexpr int64_t Far = int64_t{1} << 61, Most = INT64_MAX;
  const std::vector<std::vector<int64_t>> damaged{
      {},
      {1},
      {-1},
      {2, 0, 1, 0, 8},         // a loop is missing
      {1, 0, 1, 0, 8, 0},      // a number too many
      {0, 0, 1, 0, 8},         // loops that nobody counted
      {1, 0, 0, 0, 8},         // no time
      {1, 0, -3, 0, 8},        // fewer than no time
      {1, 0, 1, 0, 0},         // no bytes
      {1, 0, 2, 8, -1},        // a body that is not there
      {1, 0, 1, 0, -Most - 1}, // of no number
      {1, Far, 1, 0, 8},       // far away
      {1, 0, Most, Most, 8},   // the product of two numbers is none
      {1, 0, Most, 0, 8},      // nor is this
      {2, 0, 1, 0, Far / 2 - 1, 0, 1, 0, Far / 2 - 1, 5}};
  for (const std::vector<int64_t> &numbers : damaged)
    EXPECT_FALSE(typeOfLayout(numbers, 8)) << testing::PrintToString(numbers);
  std::vector<int64_t> deep{1};
  for (int depth = 0; depth < 1000; ++depth)
    deep.insert(deep.end(), {0, 2, 8, -1});
  deep.insert(deep.end(), {0, 1, 0, 8});
  EXPECT_FALSE(typeOfLayout(deep, 8));
}
