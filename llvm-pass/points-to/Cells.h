// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of the program in pieces that no access cuts: cells.
///
/// The accesses to an object are shapes (Memory.h) with a length. Their ends cut the object in
/// intervals; in an interval that accesses with strides cover, the strides' least common multiple
/// is a period, and the accesses' ends modulo the period cut it in arcs. A cell is (interval, arc,
/// group of classes); an access touches the cells that it overlaps, completely.
#pragma once

#include "points-to/Builder.h"
#include "points-to/PointsTo.h"

#include <set>
#include <tuple>

namespace gnomon::pointsto {

/// Bytes of an object that one access touches.
struct Piece {
  Shape shape;
  int64_t bytes;
  auto operator<=>(const Piece &) const = default;
};

/// What one access may touch in one object.
struct Touch {
  ObjectId object;
  Piece piece;
  uint8_t classes;
};

/// What decides what an access touches: equal for most accesses of a large program, which are by few pointers.
using AccessKey =
    std::tuple<const LocationSet *, int64_t, unsigned, llvm::StringRef, int64_t, int64_t>;
AccessKey keyOf(const Builder &builder, const MemoryAccess &access);

/// Touches, one an object and location; of opaque memory as object 0 (unknown) or 1 (libraries).
/// The same for accesses of the same key.
llvm::SmallVector<Touch> touchesOf(const Builder &builder, const MemoryAccess &access);

class Cells {
public:
  explicit Cells(const Builder &builder);

  uint32_t count() const { return uint32_t(owners_.size()); }
  ObjectId ownerOf(Cell cell) const { return owners_[cell]; }
  DataClass classOf(Cell cell) const;
  uint8_t classesOf(Cell cell) const { return classes_[cell]; }
  /// Adds the cells, unsorted.
  void append(const Touch &touch, llvm::SmallVectorImpl<Cell> &cells) const;
  void appendObject(ObjectId object, llvm::SmallVectorImpl<Cell> &cells) const;
  /// The bytes of its object that no other cells share with it and those of other arcs and classes.
  std::pair<int64_t, int64_t> intervalOf(Cell cell) const;

private:
  struct Interval {
    int64_t begin, end, period;
    llvm::SmallVector<int64_t, 2> arcs; ///< begins of arcs, ascending; the last ends at the period
    uint32_t firstAtom = 0;
  };
  struct Layout {
    std::set<std::pair<Piece, uint8_t>> pieces; ///< with the classes that they are accessed as
    std::vector<Interval> intervals;
    llvm::SmallVector<uint8_t, 3> groups; ///< sets of classes that no access tells apart
    std::vector<uint32_t> numbers;        ///< of (interval, arc): its atom, if it is touched
    Cell firstCell = 0;
    uint32_t atoms = 0;
  };

  const Memory &memory_;
  std::vector<Layout> layouts_; ///< by object
  std::vector<ObjectId> owners_;
  std::vector<uint8_t> classes_; ///< sets of ClassBits

  void collect(const Builder &builder);
  void cut(Layout &layout);
  static void groupClasses(Layout &layout);
  void cutIntervals(Layout &layout);
  void cutArcs(const Layout &layout, Interval &interval);
  void number(ObjectId object);
  bool isUnknown(ObjectId object) const;
  template <typename Visitor>
  void forAtoms(const Layout &layout, const Piece &piece, Visitor visit) const;
};

} // namespace gnomon::pointsto
