// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/Cells.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace llvm;

namespace gnomon::pointsto {
namespace {

/// Beyond these an object is cut more coarsely.
constexpr size_t MostCutsWithStrides = 128;
constexpr int64_t LongestPeriod = 4096;
constexpr size_t MostArcs = 128;

constexpr uint32_t NoAtom = ~0u, NotSeen = ~0u - 1;

int64_t floorMod(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

/// What an access of unknown length from a location on may touch.
Piece openEnded(const Shape &shape) {
  return {{0, 1, shape.stride ? shape.low : shape.offset, shape.stride ? shape.high : Highest}, 1};
}

Piece pieceOf(const Shape &location, const MemoryAccess &access, StringRef variable) {
  Piece piece = {location, access.bytes};
  if (access.bytes >= Highest)
    piece = openEnded(location);
  if (piece.shape.stride && !access.type.variable.empty() && access.type.variable == variable) {
    piece.shape.low = std::max(piece.shape.low, access.type.low);
    piece.shape.high = std::min(piece.shape.high, access.type.high);
  }
  // Longer than the stride: whatever lies between the elements is touched too.
  if (piece.shape.stride && piece.bytes >= piece.shape.stride) {
    piece.shape.offset = 0;
    piece.shape.stride = 1;
    piece.bytes = 1;
  }
  return piece;
}

bool isOutside(const Piece &piece, const Object &object) {
  return piece.shape.end(piece.bytes) <= piece.shape.begin() ||
         (object.bytes &&
          (piece.shape.end(piece.bytes) <= 0 || piece.shape.begin() >= object.bytes));
}

} // namespace

AccessKey keyOf(const Builder &builder, const MemoryAccess &access) {
  const unsigned kind = access.type.classes | unsigned(access.written && !access.read) << 8 |
                        unsigned(access.byModel) << 9;
  return {&builder.solver().pointees(access.pointer),
          access.bytes,
          kind,
          access.type.variable,
          access.type.low,
          access.type.high};
}

SmallVector<Touch> touchesOf(const Builder &builder, const MemoryAccess &access) {
  SmallVector<Touch> touches;
  const LocationSet &pointees = builder.solver().pointees(access.pointer);
  if (pointees.empty() &&
      !access.byModel) // by what is known the null pointer: never executed, or not understood
    touches.push_back({UnknownObject, {Shape::exact(0), 1}, AnyBits});
  bool unknown = false;
  for (LocationId id : pointees) {
    const Location &location = builder.memory().location(id);
    const Object &object = builder.memory().object(location.object);
    // Nobody writes constants. (In a set that holds unknown memory they are not listed.)
    if (object.kind == ObjectKind::Function || (object.constant && access.written && !access.read))
      continue;
    if (object.kind == ObjectKind::Unknown || (object.escaped && !object.constant)) {
      if (!unknown)
        touches.push_back({UnknownObject, {Shape::exact(0), 1}, AnyBits});
      unknown = true;
      continue;
    }
    StringRef name = object.kind == ObjectKind::Global ? object.origin->getName() : StringRef();
    // What is never written needs no parts.
    bool onePiece = object.kind <= ObjectKind::Arguments || object.constant;
    Piece piece = onePiece ? Piece{Shape::exact(0), 1} : pieceOf(location.shape, access, name);
    if (!isOutside(piece, object))
      touches.push_back({location.object, piece, access.type.classes});
  }
  return touches;
}

Cells::Cells(const Builder &builder) : memory_(builder.memory()) {
  layouts_.resize(memory_.objectCount());
  collect(builder);
  for (ObjectId object = 0; object < layouts_.size(); ++object) {
    cut(layouts_[object]);
    number(object);
  }
}

void Cells::collect(const Builder &builder) {
  layouts_[UnknownObject].pieces.insert({{Shape::exact(0), 1}, AnyBits});
  DenseSet<AccessKey> seen;
  for (const Function &function : builder.module())
    for (const Instruction &instruction : instructions(function))
      for (const MemoryAccess &access : builder.accessesOf(instruction))
        if (seen.insert(keyOf(builder, access)).second)
          for (const Touch &touch : touchesOf(builder, access))
            layouts_[touch.object].pieces.insert({touch.piece, touch.classes});
}

bool Cells::isUnknown(ObjectId id) const {
  const Object &object = memory_.object(id);
  return object.kind == ObjectKind::Unknown || (object.escaped && !object.constant);
}

void Cells::cut(Layout &layout) {
  if (layout.pieces.empty())
    return;
  groupClasses(layout);
  cutIntervals(layout);
  uint32_t candidates = 0;
  for (Interval &interval : layout.intervals) {
    cutArcs(layout, interval);
    interval.firstAtom = candidates;
    candidates += uint32_t(interval.arcs.size());
  }
  // Only what is touched becomes a cell.
  layout.numbers.assign(candidates, NotSeen);
  for (auto &[piece, classes] : layout.pieces)
    forAtoms(layout, piece, [&](uint32_t candidate) { layout.numbers[candidate] = 0; });
  for (uint32_t &number : layout.numbers)
    number = number == NotSeen ? NoAtom : layout.atoms++;
}

void Cells::groupClasses(Layout &layout) {
  // Classes that all accesses take together are one.
  uint8_t present = 0;
  for (auto &[piece, classes] : layout.pieces)
    present |= classes;
  // Bounds are integers like others where no access is to a descriptor's alone.
  const bool bounded = any_of(layout.pieces, [](const auto &piece) {
    return (piece.second & (IntegerBit | BoundsBit)) == BoundsBit;
  });
  const uint8_t integers = bounded ? IntegerBit : IntegerBit | BoundsBit;
  // And the addresses of tables are pointers where no access is to one alone.
  const bool tabled = any_of(layout.pieces, [](const auto &piece) {
    return (piece.second & (PointerBit | TableBit)) == TableBit;
  });
  const uint8_t pointers = tabled ? PointerBit : PointerBit | TableBit;
  for (uint8_t bit :
       {integers, uint8_t(FloatingBit), pointers, uint8_t(BoundsBit), uint8_t(TableBit)}) {
    if (!(present & bit) || (bit == BoundsBit && !bounded) || (bit == TableBit && !tabled))
      continue;
    auto sameGroup = [&](uint8_t group) {
      return all_of(layout.pieces, [&](const auto &piece) {
        return bool(piece.second & bit) == bool(piece.second & group);
      });
    };
    auto found = find_if(layout.groups, sameGroup);
    if (found != layout.groups.end())
      *found |= bit;
    else
      layout.groups.push_back(bit);
  }
}

void Cells::cutIntervals(Layout &layout) {
  std::set<int64_t> cuts = {Lowest, Highest}, ranges = {Lowest, Highest};
  bool strides = false;
  for (auto &[piece, classes] : layout.pieces) {
    int64_t begin = std::max(piece.shape.begin(), Lowest);
    int64_t end = std::min(piece.shape.end(piece.bytes), Highest);
    cuts.insert({begin, end});
    if (piece.shape.stride) {
      ranges.insert({begin, end});
      strides |= piece.shape.stride > 1;
    }
  }
  // Many constant indices into what is also an array: the period tells enough.
  if (strides && cuts.size() > MostCutsWithStrides)
    cuts = std::move(ranges);
  for (auto cut = cuts.begin(), next = std::next(cut); next != cuts.end(); cut = next++)
    layout.intervals.push_back({*cut, *next, 1, {0}, 0});
}

void Cells::cutArcs(const Layout &layout, Interval &interval) {
  int64_t common = 1, divisor = 0;
  auto covers = [&](const Piece &piece) {
    return piece.shape.begin() < interval.end && piece.shape.end(piece.bytes) > interval.begin;
  };
  for (auto &[piece, classes] : layout.pieces)
    if (piece.shape.stride > 1 && covers(piece)) {
      divisor = std::gcd(divisor, piece.shape.stride);
      if (common <= LongestPeriod)
        common = std::lcm(common, piece.shape.stride);
    }
  if (!divisor)
    return;
  interval.period = common <= LongestPeriod ? common : std::min(divisor, LongestPeriod);
  std::set<int64_t> arcs = {0};
  for (auto &[piece, classes] : layout.pieces) {
    if (piece.shape.stride == 1 || !covers(piece))
      continue;
    int64_t stride =
        piece.shape.stride ? std::gcd(piece.shape.stride, interval.period) : interval.period;
    if (piece.bytes >= stride)
      continue;
    bool cutsInterval = !piece.shape.stride && piece.shape.offset >= interval.begin &&
                        piece.shape.offset + piece.bytes <= interval.end &&
                        interval.end - interval.begin <= piece.bytes;
    for (int64_t start = 0; !cutsInterval && start < interval.period; start += stride) {
      arcs.insert(floorMod(piece.shape.offset + start, interval.period));
      arcs.insert(floorMod(piece.shape.offset + piece.bytes + start, interval.period));
    }
  }
  if (arcs.size() > MostArcs) {
    interval.period = 1;
    arcs = {0};
  }
  interval.arcs.assign(arcs.begin(), arcs.end());
}

void Cells::number(ObjectId object) {
  Layout &layout = layouts_[object];
  layout.firstCell = Cell(owners_.size());
  if (isUnknown(object) && object != UnknownObject) {
    layout.groups.clear();
    return;
  }
  for (uint32_t atom = 0; atom < layout.atoms; ++atom)
    for (uint8_t group : layout.groups) {
      owners_.push_back(object);
      classes_.push_back(group);
    }
}

DataClass Cells::classOf(Cell cell) const {
  // Bounds are integers, and addresses of tables pointers.
  const uint8_t bits = classes_[cell];
  const uint8_t bounds = bits & BoundsBit ? (bits & ~BoundsBit) | IntegerBit : bits;
  const uint8_t group = bounds & TableBit ? (bounds & ~TableBit) | PointerBit : bounds;
  return group == IntegerBit    ? DataClass::Integer
         : group == FloatingBit ? DataClass::Floating
         : group == PointerBit  ? DataClass::Pointer
                                : DataClass::Any;
}

template <typename Visitor>
void Cells::forAtoms(const Layout &layout, const Piece &piece, Visitor visit) const {
  int64_t begin = piece.shape.begin(), end = piece.shape.end(piece.bytes);
  auto first = std::partition_point(layout.intervals.begin(), layout.intervals.end(),
                                    [&](const Interval &each) { return each.end <= begin; });
  for (; first != layout.intervals.end() && first->begin < end; ++first)
    for (size_t arc = 0; arc < first->arcs.size(); ++arc) {
      int64_t from = first->arcs[arc];
      int64_t to = arc + 1 < first->arcs.size() ? first->arcs[arc + 1] : first->period;
      Shape residues = {from, first->period, Lowest, Highest};
      uint32_t candidate = first->firstAtom + uint32_t(arc);
      if (layout.numbers[candidate] != NoAtom &&
          overlap(piece.shape, piece.bytes, residues, to - from))
        visit(candidate);
    }
}

void Cells::append(const Touch &touch, SmallVectorImpl<Cell> &cells) const {
  const Layout &layout = layouts_[touch.object];
  forAtoms(layout, touch.piece, [&](uint32_t candidate) {
    uint32_t atom = layout.numbers[candidate];
    for (size_t group = 0; group < layout.groups.size(); ++group)
      if (layout.groups[group] & touch.classes)
        cells.push_back(layout.firstCell + Cell(atom * layout.groups.size() + group));
  });
}

std::pair<int64_t, int64_t> Cells::intervalOf(Cell cell) const {
  const Layout &layout = layouts_[owners_[cell]];
  const auto atom = uint32_t((cell - layout.firstCell) / layout.groups.size());
  const auto candidate = uint32_t(find(layout.numbers, atom) - layout.numbers.begin());
  auto behind = partition_point(layout.intervals,
                                [&](const Interval &each) { return each.firstAtom <= candidate; });
  return {std::prev(behind)->begin, std::prev(behind)->end};
}

void Cells::appendObject(ObjectId object, SmallVectorImpl<Cell> &cells) const {
  if (isUnknown(object)) {
    cells.push_back(PointsTo::Unknown);
    return;
  }
  const Layout &layout = layouts_[object];
  for (uint32_t cell = 0; cell < layout.atoms * layout.groups.size(); ++cell)
    cells.push_back(layout.firstCell + cell);
}

} // namespace gnomon::pointsto
