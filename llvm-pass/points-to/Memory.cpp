// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/Memory.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace gnomon::pointsto {
namespace {

/// Beyond this many locations an object's new ones are made coarser: pointers that walk through
/// memory in steps that no loop shows would make a location at each step.
constexpr size_t FineLocations = 2048, FineLocationsUnsized = 64;
/// With so many locations in all, objects get few of them: programs whose every pointer may point
/// to everything would take for ever otherwise.
constexpr size_t ManyLocations = 8192, FineLocationsOfMany = 8;
constexpr int64_t FarthestOffset = int64_t(1) << 44;

int64_t floorMod(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

bool residuesMeet(int64_t left, int64_t leftBytes, int64_t right, int64_t rightBytes,
                  int64_t stride) {
  int64_t distance = floorMod(left - right, stride);
  return distance < rightBytes || stride - distance < leftBytes;
}

/// The type of a variable; null: it has none.
Type *typeOf(const Object &object) {
  if (const auto *global = dyn_cast_or_null<GlobalVariable>(object.origin))
    return object.kind == ObjectKind::Global ? global->getValueType() : nullptr;
  const auto *alloca = dyn_cast_or_null<AllocaInst>(object.origin);
  return alloca && !alloca->isArrayAllocation() ? alloca->getAllocatedType() : nullptr;
}

} // namespace

bool Memory::mayBeText(ObjectId id) const {
  const Object &object = objects_[id];
  if (object.kind == ObjectKind::Function)
    return false;
  const auto *maker = dyn_cast_or_null<CallBase>(object.origin);
  const Function *callee =
      maker && object.kind == ObjectKind::Heap ? maker->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return true;
  const Function *allocator = callee->getParent()->getFunction("_Znwm");
  if (allocator && !allocator->isDeclaration())
    return true;
  const StringRef name = callee->getName();
  return !name.starts_with("_Zna") && name != "malloc" && name != "calloc" && name != "realloc";
}

int64_t Shape::end(int64_t bytes) const { return stride ? high : offset + bytes; }

bool overlap(const Shape &left, int64_t leftBytes, const Shape &right, int64_t rightBytes) {
  if (left.begin() >= right.end(rightBytes) || right.begin() >= left.end(leftBytes))
    return false;
  int64_t stride = std::gcd(left.stride, right.stride);
  return !stride || residuesMeet(left.offset, leftBytes, right.offset, rightBytes, stride);
}

ObjectId Memory::addObject(ObjectKind kind, const Value *origin, int64_t bytes, bool constant) {
  Object object;
  object.kind = kind;
  object.origin = origin;
  object.bytes = bytes;
  object.constant = constant;
  objects_.push_back(std::move(object));
  return ObjectId(objects_.size() - 1);
}

LocationId Memory::locate(ObjectId id, Shape shape, bool &isNew) {
  Object &object = objects_[id];
  if (object.kind <= ObjectKind::Library || object.kind == ObjectKind::Function)
    shape = Shape::exact(0);
  auto found = object.byShape.find(shape);
  if (found == object.byShape.end()) {
    size_t fine = locations_.size() > ManyLocations ? FineLocationsOfMany
                  : object.bytes                    ? FineLocations
                                                    : FineLocationsUnsized;
    if (object.locations.size() >= 2 * fine)
      shape = Shape::whole();
    else if (object.locations.size() >= fine)
      shape = shape.offset % 8 ? Shape::whole() : Shape{0, 8, Lowest, Highest};
    found = object.byShape.find(shape);
  }
  isNew = found == object.byShape.end();
  if (!isNew)
    return found->second;
  LocationId location = LocationId(locations_.size());
  locations_.push_back({id, shape, 0, 0});
  object.byShape.emplace(shape, location);
  object.locations.push_back(location);
  return location;
}

/// A variable index into a variable stays in the outermost array that holds the place where it starts: that is what the
/// source's types say. Variables of unknown type (bytes) are one array; of a union the IR has one member's type.
void Memory::boundByType(const Object &object, Shape &shape, int64_t offset) const {
  Type *type = typeOf(object);
  if (!type || offset < 0 || offset >= object.bytes)
    return;
  int64_t start = 0;
  while (auto *record = dyn_cast<StructType>(type)) {
    const StructLayout *layout = layout_.getStructLayout(record);
    if (uint64_t(offset - start) >= layout->getSizeInBytes() ||
        (record->hasName() && record->getName().starts_with("union.")))
      return;
    unsigned field = layout->getElementContainingOffset(uint64_t(offset - start));
    start += int64_t(layout->getElementOffset(field).getFixedValue());
    type = record->getElementType(field);
  }
  int64_t bytes = int64_t(layout_.getTypeAllocSize(type).getFixedValue());
  const auto *array = dyn_cast<ArrayType>(type);
  if (!array || array->getNumElements() <= 1 ||
      offset >= start + bytes) // of one: an open end of C's
    return;
  shape.low = start;
  shape.high = start + bytes;
}

Shape Memory::advance(LocationId from, const Step &step) const {
  const Location &location = locations_[from];
  Shape shape = location.shape;
  int64_t start = shape.offset;
  int64_t offset = start + step.offset;
  if (offset > FarthestOffset || offset < -FarthestOffset)
    return Shape::whole();
  if (step.extent && !shape.stride)
    return {0, 1, offset, offset + step.extent};
  int64_t stride = std::gcd(shape.stride, step.stride);
  if (step.stride && !shape.stride) {
    if (step.low != Lowest) {
      shape.low = start + step.low;
      shape.high = start + step.high;
    } else if (!step.recurrent) {
      boundByType(objects_[location.object], shape, offset);
    }
  }
  // Behind a place in an array, a step as long as that leads to one in another structure: the optimiser may have added
  // what chooses the structure last.
  if (step.stride && locations_[from].shape.stride && shape.low != Lowest &&
      step.stride >= shape.high - shape.low) {
    shape.low = Lowest;
    shape.high = Highest;
  }
  shape.stride = stride;
  shape.offset = stride ? floorMod(offset, stride) : offset;
  return shape;
}

} // namespace gnomon::pointsto
