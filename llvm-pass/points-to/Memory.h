// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory of the program as the points-to analysis sees it: objects (variables, allocation
/// sites, functions) and locations in them.
///
/// A location is a set of addresses in one object: { offset + k * stride | k integer } within
/// [low, high). Stride 0 is the one address `offset`. A field of a structure is an exact location;
/// an element of an array with a variable index is a location with the element's size as stride; a
/// field of the structures in an array has the structure's size as stride. All numbers are bytes.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace llvm {
class Instruction;
class Type;
class Value;
class DataLayout;
} // namespace llvm

namespace gnomon::pointsto {

using ObjectId = uint32_t;
using LocationId = uint32_t;
using NodeId = uint32_t;

enum class ObjectKind : uint8_t {
  Unknown,   ///< all memory that unknown code can reach
  Library,   ///< memory that belongs to known libraries: handles, streams, static buffers
  Arguments, ///< argv, envp
  Global,
  Stack,
  Heap,
  Function,
  State ///< no addresses lie there: what functions outside the program leave behind (State.cpp): it never escapes
};

constexpr int64_t Lowest = std::numeric_limits<int64_t>::min() / 4;
constexpr int64_t Highest = std::numeric_limits<int64_t>::max() / 4;

struct Shape {
  int64_t offset = 0; ///< with a stride: between 0 and the stride
  int64_t stride = 0; ///< 0: one address
  int64_t low = Lowest, high = Highest;

  static Shape exact(int64_t offset) { return {offset, 0, Lowest, Highest}; }
  static Shape whole() { return {0, 1, Lowest, Highest}; }
  auto operator<=>(const Shape &) const = default;

  /// The bytes that an access of `bytes` may touch: the hull.
  int64_t begin() const { return stride ? low : offset; }
  int64_t end(int64_t bytes) const;
};

/// Whether an access of `leftBytes` at `left` and one of `rightBytes` at `right` may share a byte.
bool overlap(const Shape &left, int64_t leftBytes, const Shape &right, int64_t rightBytes);

/// What a pointer computation does: adds `offset` and a multiple of `stride`, staying in
/// [low, high) bytes of the pointer that it starts from, if these are bounded.
struct Step {
  int64_t offset = 0;
  int64_t stride = 0;
  int64_t low = Lowest, high = Highest;
  bool recurrent = false; ///< a pointer that moves in a loop: may start behind the last element
  /// Without a stride: what is reached by it lies in that many bytes from there on; 0: nothing is known.
  int64_t extent = 0;
  bool text = false; ///< leads only to what the characters of a std::string may lie in

  auto operator<=>(const Step &) const = default;
  static Step anywhere() { return {0, 1, Lowest, Highest, true}; }
  static Step toText() { return {.text = true}; }
  bool isZero() const { return !offset && !stride && !extent && !text; }
};

struct Object {
  ObjectKind kind;
  const llvm::Value *origin = nullptr;
  int64_t bytes = 0; ///< 0: not known
  bool constant = false;
  bool escaped = false;
  std::vector<LocationId> locations; ///< in order of creation
  std::map<Shape, LocationId> byShape;
};

struct Location {
  ObjectId object;
  Shape shape;
  NodeId stored = 0; ///< pointers that are stored there
  NodeId loaded = 0; ///< pointers that a load may find there
};

constexpr ObjectId UnknownObject = 0, LibraryObject = 1, ArgumentsObject = 2;
constexpr LocationId UnknownLocation = 0, LibraryLocation = 1;

class Memory {
public:
  explicit Memory(const llvm::DataLayout &layout) : layout_(layout) {}

  ObjectId addObject(ObjectKind kind, const llvm::Value *origin, int64_t bytes, bool constant);
  Object &object(ObjectId id) { return objects_[id]; }
  const Object &object(ObjectId id) const { return objects_[id]; }
  size_t objectCount() const { return objects_.size(); }

  /// The location of that shape, made when it is new: then `isNew` is set. Objects with very many
  /// locations get coarser ones.
  LocationId locate(ObjectId object, Shape shape, bool &isNew);
  Location &location(LocationId id) { return locations_[id]; }
  const Location &location(LocationId id) const { return locations_[id]; }
  size_t locationCount() const { return locations_.size(); }

  /// Where a pointer to `from` leads after `step`.
  Shape advance(LocationId from, const Step &step) const;
  /// Part of the memory that unknown code can reach and write: its locations are not told apart.
  bool isDissolved(ObjectId id) const {
    const Object &object = objects_[id];
    return object.escaped && !object.constant && object.kind != ObjectKind::Function;
  }
  bool isOpaque(ObjectId id) const { return objects_[id].kind <= ObjectKind::Library; }
  /// Whether a std::string may keep its characters there: in itself, or in what `operator new` gives
  /// it. That is no block of `new[]`, nor, unless the program has an `operator new` of its own, one
  /// that the program gets from malloc.
  bool mayBeText(ObjectId id) const;

private:
  const llvm::DataLayout &layout_;
  std::vector<Object> objects_;
  std::vector<Location> locations_;

  void boundByType(const Object &object, Shape &shape, int64_t offset) const;
};

} // namespace gnomon::pointsto
