// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every byte of a view is where the walk over its datatype says, wherever the walk begins.
#include "io/FileMap.h"

#include "mpi/datatype/Datatype.h"

#include <gtest/gtest.h>

#include <vector>

using namespace gnomon;
using mpi::Datatype;

namespace {

io::FileMap mapOf(const Datatype &type, int64_t displacement) {
  return {displacement, std::make_shared<const mpi::Layout>(type.layout()), type.extent()};
}

/// The offsets of a view's first bytes, by the walk that messages are copied with.
std::vector<int64_t> offsetsOf(const Datatype &type, int64_t displacement, int64_t tiles) {
  std::vector<int64_t> offsets;
  for (mpi::LayoutCursor cursor(type.layout(), tiles, type.extent()); !cursor.done();) {
    offsets.push_back(displacement + cursor.offset());
    cursor.advance(1);
  }
  return offsets;
}

void checkAll(const Datatype &type) {
  constexpr int64_t displacement = 1000, tiles = 3;
  const io::FileMap map = mapOf(type, displacement);
  const std::vector<int64_t> offsets = offsetsOf(type, displacement, tiles);
  ASSERT_EQ(map.tileBytes(), type.size());
  for (size_t first = 0; first < offsets.size(); ++first) {
    EXPECT_EQ(map.offsetOf(static_cast<int64_t>(first)), offsets[first]);
    EXPECT_EQ(map.positionOf(offsets[first]), static_cast<int64_t>(first));
    EXPECT_EQ(map.positionOf(offsets[first] + 1), static_cast<int64_t>(first) + 1);
    io::FileCursor cursor(map, static_cast<int64_t>(first));
    for (size_t i = first; i < offsets.size(); ++i) {
      ASSERT_EQ(cursor.offset(), offsets[i]) << "from " << first << " on";
      cursor.advance(1);
    }
  }
}

const Datatype &integer() { return Datatype::predefined(0x209); } // MPI_INT

} // namespace

TEST(FileMap, OfOneRun) { checkAll(integer()); }

TEST(FileMap, OfAVector) { checkAll(*Datatype::vector(5, 2, 3, integer())); }

TEST(FileMap, OfAVectorOfVectors) {
  checkAll(*Datatype::hvector(3, 1, 100, *Datatype::vector(2, 1, 2, integer())));
}

TEST(FileMap, OfIrregularBlocksOfDifferentLengths) {
  const int lengths[] = {1, 3, 2, 1}, displacements[] = {0, 2, 8, 20};
  checkAll(*Datatype::indexed(lengths, displacements, integer()));
}

TEST(FileMap, OfBlocksThatAreTypesThemselves) {
  const int lengths[] = {2, 1}, displacements[] = {0, 5};
  const Datatype *pairs = Datatype::vector(2, 1, 3, integer());
  checkAll(*Datatype::indexed(lengths, displacements, *pairs));
}

TEST(FileMap, OfATileWithRoomAround) {
  checkAll(*Datatype::resized(*Datatype::vector(2, 1, 2, integer()), 0, 64));
}

TEST(FileMap, OfASubarray) {
  const int sizes[] = {4, 5, 6}, parts[] = {2, 3, 2}, starts[] = {1, 1, 3};
  checkAll(*Datatype::subarray(sizes, parts, starts, mpi::ArrayOrder::C, integer()));
}

TEST(FileMap, AFileThatEndsInAGapEndsBeforeTheNextByte) {
  const io::FileMap map = mapOf(*Datatype::resized(integer(), 0, 16), 100);
  EXPECT_EQ(map.positionOf(0), 0);
  EXPECT_EQ(map.positionOf(102), 2);
  EXPECT_EQ(map.positionOf(104), 4);
  EXPECT_EQ(map.positionOf(116), 4);
  EXPECT_EQ(map.positionOf(118), 6);
}
