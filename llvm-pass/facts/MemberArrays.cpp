// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/MemberArrays.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"

#include <string>

using namespace llvm;

namespace gnomon {
namespace {

constexpr StringLiteral Mark = "gnomon.within.";

bool isMark(const Type &type) {
  const auto *record = dyn_cast<StructType>(&type);
  return record && record->hasName() && record->getName().starts_with(Mark);
}

/// Where indices have led.
struct Walk {
  const DataLayout &layout;
  int64_t offset = 0, arrayStart = 0;
  Type *outer = nullptr; ///< what the next index chooses from; null: the first one steps over it
  ArrayType *array = nullptr; ///< the outermost of the arrays that `outer` is part of

  int64_t sizeOf(Type *type) const {
    return int64_t(layout.getTypeAllocSize(type).getFixedValue());
  }

  /// In front of an index.
  void enter() {
    auto *row = dyn_cast_or_null<ArrayType>(outer);
    if (row && !array) {
      array = row;
      arrayStart = offset;
    } else if (!row) {
      array = nullptr;
    }
  }

  void step(const generic_gep_type_iterator<> &index, const ConstantInt &constant) {
    if (StructType *record = index.getStructTypeOrNull())
      offset += int64_t(layout.getStructLayout(record)
                            ->getElementOffset(unsigned(constant.getZExtValue()))
                            .getFixedValue());
    else
      offset += constant.getSExtValue() * sizeOf(index.getIndexedType());
    outer = index.getIndexedType();
  }
};

/// Whether the computation begins within the array that it names first: by an index of 0.
bool beginsIn(const GEPOperator &gep, const Type *array) {
  const auto *first = dyn_cast<ConstantInt>(gep.getOperand(1));
  return first && first->isZero() && gep.getSourceElementType() == array;
}

/// The outermost array that the pointer, a place by constant indices, is part of, in bytes from there.
std::optional<MarkedBounds> arrayAround(const Value &pointer, const DataLayout &layout) {
  const auto *gep = dyn_cast<GEPOperator>(&pointer);
  if (!gep || !gep->hasAllConstantIndices())
    return std::nullopt;
  Walk walk{layout};
  for (auto index = gep_type_begin(*gep), end = gep_type_end(*gep); index != end; ++index) {
    walk.enter();
    walk.step(index, *cast<ConstantInt>(index.getOperand()));
  }
  if (!walk.array)
    return std::nullopt;
  if (beginsIn(*gep, walk.array))
    if (const auto around = arrayAround(*gep->getPointerOperand(), layout))
      return MarkedBounds{around->low - walk.offset, around->high - walk.offset};
  const int64_t low = walk.arrayStart - walk.offset;
  return MarkedBounds{low, low + walk.sizeOf(walk.array)};
}

/// Whether a variable index has chosen the place from an array.
bool isChosenElement(const Value &pointer) {
  const auto *gep = dyn_cast<GEPOperator>(&pointer);
  if (!gep || gep->hasAllConstantIndices())
    return false;
  if (isMark(*gep->getSourceElementType()))
    return true;
  Type *last = nullptr;
  for (auto index = gep_type_begin(*gep), end = gep_type_end(*gep); index != end; ++index)
    last = index.isSequential() && index != gep_type_begin(*gep) ? index.getIndexedType() : nullptr;
  return last != nullptr;
}

} // namespace

std::optional<ArrayIndex> arrayIndexOf(const GEPOperator &gep, const DataLayout &layout) {
  Walk walk{layout};
  unsigned operand = 1;
  for (auto index = gep_type_begin(gep), end = gep_type_end(gep); index != end;
       ++index, ++operand) {
    walk.enter();
    const auto *constant = dyn_cast<ConstantInt>(index.getOperand());
    if (constant) {
      walk.step(index, *constant);
      continue;
    }
    // Arrays of one or no element are how C spells open ends.
    if (!walk.array || walk.array->getNumElements() <= 1)
      return std::nullopt;
    return ArrayIndex{operand, walk.offset, index.getIndexedType(), walk.arrayStart,
                      walk.arrayStart + walk.sizeOf(walk.array)};
  }
  return std::nullopt;
}

std::optional<ArrayIndex> outermostIndexOf(const GEPOperator &gep, const DataLayout &layout) {
  std::optional<ArrayIndex> index = arrayIndexOf(gep, layout);
  if (!index || !isa<ArrayType>(gep.getSourceElementType()) ||
      !beginsIn(gep, gep.getSourceElementType()))
    return index;
  const Value &start = *gep.getPointerOperand();
  if (isChosenElement(start))
    return std::nullopt;
  if (const auto around = arrayAround(start, layout)) {
    index->low = around->low;
    index->high = around->high;
  }
  return index;
}

StructType *markedType(Type &element, int64_t low, int64_t high) {
  const std::string name = (Mark + Twine(low) + "." + Twine(high) + ".").str();
  StructType *known = StructType::getTypeByName(element.getContext(), name);
  return known && known->getElementType(0) == &element ? known
                                                       : StructType::create({&element}, name);
}

std::optional<MarkedBounds> markedBounds(const GEPOperator &gep) {
  if (!isMark(*gep.getSourceElementType()) || gep.getNumIndices() != 1 || !gep.isInBounds())
    return std::nullopt;
  StringRef name = gep.getSourceElementType()->getStructName();
  name.consume_front(Mark);
  MarkedBounds bounds{};
  const auto [low, rest] = name.split('.');
  if (low.getAsInteger(10, bounds.low) || rest.split('.').first.getAsInteger(10, bounds.high))
    return std::nullopt;
  return bounds;
}

} // namespace gnomon
