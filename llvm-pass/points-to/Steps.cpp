// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Pointer computations as steps: the constant part, the greatest known divisor of the variable
/// part, and the array that the types say it stays in.
#include "facts/MemberArrays.h"
#include "points-to/AccessClass.h"
#include "points-to/Builder.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

#include <numeric>
#include <optional>

using namespace llvm;

namespace gnomon::pointsto {
namespace {

constexpr unsigned DeepestSearch = 8;

int64_t powerOfTwoPart(int64_t value) { return value & -value; }

/// A divisor of `divisor` that is at most `limit`, a power of two.
int64_t limited(int64_t divisor, int64_t limit) {
  return divisor <= limit ? divisor : std::min(powerOfTwoPart(divisor), limit);
}

bool neverWraps(const Value &value) {
  const auto *operation = dyn_cast<OverflowingBinaryOperator>(&value);
  return operation && (operation->hasNoSignedWrap() || operation->hasNoUnsignedWrap());
}

int64_t divisorOf(const Value &value, unsigned depth);

int64_t divisorOfOperation(const BinaryOperator &operation, unsigned depth) {
  const Value &left = *operation.getOperand(0), &right = *operation.getOperand(1);
  const auto *constant = dyn_cast<ConstantInt>(&right);
  bool small = constant && constant->getValue().getSignificantBits() <= 32;
  switch (operation.getOpcode()) {
  case Instruction::Mul:
    return small ? std::abs(constant->getSExtValue()) *
                       limited(divisorOf(left, depth), int64_t(1) << 20)
                 : 1;
  case Instruction::Shl:
    return small && constant->getZExtValue() < 32 ? int64_t(1) << constant->getZExtValue() : 1;
  case Instruction::And:
    return small && !constant->isZero() ? powerOfTwoPart(constant->getSExtValue()) : 1;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or: // of parts that share no bit, or of multiples of a power of two
    if (int64_t divisor = std::gcd(divisorOf(left, depth), divisorOf(right, depth)))
      return operation.getOpcode() == Instruction::Or ? powerOfTwoPart(divisor) : divisor;
    return 0;
  default:
    return 1;
  }
}

/// A number that divides the value whatever it is; 0 for the constant zero.
int64_t divisorOf(const Value &value, unsigned depth) {
  if (const auto *constant = dyn_cast<ConstantInt>(&value))
    return constant->getValue().getSignificantBits() <= 62 ? std::abs(constant->getSExtValue()) : 1;
  if (!depth--)
    return 1;
  if (const auto *operation = dyn_cast<BinaryOperator>(&value))
    return divisorOfOperation(*operation, depth);
  if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(value)) {
    const Value &operand = *cast<Instruction>(value).getOperand(0);
    int64_t divisor = divisorOf(operand, depth);
    // A product that wraps in the narrow type keeps its power of two only.
    return isa<TruncInst>(value) || !neverWraps(operand) ? powerOfTwoPart(divisor) : divisor;
  }
  if (const auto *select = dyn_cast<SelectInst>(&value))
    return std::gcd(divisorOf(*select->getTrueValue(), depth),
                    divisorOf(*select->getFalseValue(), depth));
  return 1;
}

/// The array member that a variable index chooses from, of arrays of arrays the outermost.
void boundByArray(const GEPOperator &gep, const DataLayout &layout, Step &step) {
  if (const std::optional<MarkedBounds> marked = markedBounds(gep)) {
    step.low = marked->low;
    step.high = marked->high;
  } else if (const std::optional<ArrayIndex> index = arrayIndexOf(gep, layout)) {
    step.low = index->low;
    step.high = index->high;
  }
}

/// What an argument may be by its function's calls, of which all are known.
ConstantRange rangeOfArgument(const Argument &argument, unsigned depth);

/// What an index may be, by the constants that it comes from.
ConstantRange rangeOf(const Value &value, unsigned depth) {
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const auto *constant = dyn_cast<ConstantInt>(&value))
    return ConstantRange(constant->getValue());
  if (depth == 0)
    return ConstantRange::getFull(bits);
  if (const auto *extended = dyn_cast<SExtInst>(&value))
    return rangeOf(*extended->getOperand(0), depth - 1).signExtend(bits);
  if (const auto *extended = dyn_cast<ZExtInst>(&value))
    return rangeOf(*extended->getOperand(0), depth - 1).zeroExtend(bits);
  if (const auto *select = dyn_cast<SelectInst>(&value))
    return rangeOf(*select->getTrueValue(), depth - 1)
        .unionWith(rangeOf(*select->getFalseValue(), depth - 1));
  if (const auto *argument = dyn_cast<Argument>(&value))
    return rangeOfArgument(*argument, depth - 1);
  return computeConstantRange(&value, /*ForSigned=*/true);
}

ConstantRange rangeOfArgument(const Argument &argument, unsigned depth) {
  constexpr unsigned MostCalls = 64;
  const Function &function = *argument.getParent();
  const ConstantRange full = ConstantRange::getFull(argument.getType()->getIntegerBitWidth());
  if (!function.hasLocalLinkage() || function.hasNUsesOrMore(MostCalls))
    return full;
  ConstantRange found = ConstantRange::getEmpty(full.getBitWidth());
  for (const Use &use : function.uses()) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use) || call->getFunctionType() != function.getFunctionType())
      return full;
    found = found.unionWith(rangeOf(*call->getArgOperand(argument.getArgNo()), depth));
  }
  return found.isEmptySet() ? full : found;
}

/// Whether the pointer that is computed comes back as its own base, around a loop.
bool isRecurrent(const GEPOperator &gep) {
  SmallVector<const Value *, 16> open = {gep.getPointerOperand()};
  SmallPtrSet<const Value *, 16> seen;
  while (!open.empty() && seen.size() < 32) {
    const Value *value = open.pop_back_val();
    if (value == &gep)
      return true;
    if (!seen.insert(value).second)
      continue;
    if (const auto *inner = dyn_cast<GEPOperator>(value))
      open.push_back(inner->getPointerOperand());
    else if (const auto *user = dyn_cast<Instruction>(value);
             user && isa<PHINode, SelectInst, FreezeInst>(user))
      open.append(user->op_begin(), user->op_end());
  }
  return false;
}

std::optional<int64_t> distance(const Value &from, const Value &to, const DataLayout &layout) {
  APInt start(64, 0), end(64, 0);
  const Value *base = from.stripAndAccumulateConstantOffsets(layout, start, true);
  if (base != to.stripAndAccumulateConstantOffsets(layout, end, true))
    return std::nullopt;
  return (end - start).getSExtValue();
}

/// Whether the string at whose byte 16 the pointer lies is asked there for its text, or told it.
bool namesString(const Use &use, const GEPOperator &room, const DataLayout &layout) {
  auto isText = [&](const Value *access) {
    const auto *instruction = dyn_cast<Instruction>(access);
    const Value *string = getLoadStorePointerOperand(access);
    return instruction && string && isTextOfString(*instruction) &&
           distance(*string, room, layout) == int64_t(StringRoom);
  };
  if (const auto *store = dyn_cast<StoreInst>(use.getUser()))
    return store->getValueOperand() == &room && isText(store);
  const auto *compare = dyn_cast<ICmpInst>(use.getUser());
  return compare && isa<LoadInst>(compare->getOperand(1 - use.getOperandNo())) &&
         isText(compare->getOperand(1 - use.getOperandNo()));
}

/// Whether the pointer may be used so for more than the room in a string: as a place in the structure in which that lies.
bool leavesRoom(const Use &use, const DataLayout &layout) {
  const User *user = use.getUser();
  auto isLong = [](int64_t bytes) { return bytes < 0 || bytes > int64_t(StringRoom); };
  if (const auto *load = dyn_cast<LoadInst>(user))
    return isLong(int64_t(layout.getTypeStoreSize(load->getType()).getKnownMinValue()));
  if (const auto *store = dyn_cast<StoreInst>(user); store && use.getOperandNo() == 1)
    return isLong(
        int64_t(layout.getTypeStoreSize(store->getValueOperand()->getType()).getKnownMinValue()));
  if (const auto *moved = dyn_cast<MemIntrinsic>(user)) {
    const auto *length = dyn_cast<ConstantInt>(moved->getLength());
    return length && isLong(length->getSExtValue());
  }
  APInt offset(64, 0);
  if (const auto *gep = dyn_cast<GEPOperator>(user))
    return gep->accumulateConstantOffset(layout, offset) && isLong(offset.getSExtValue() + 1);
  return !isa<StoreInst, ICmpInst, PHINode, SelectInst, CallBase>(user);
}

/// A std::string of libstdc++ has room for 16 characters in itself. In the IR that has no bounds: all that lies behind
/// it in the same structure would be text.
bool isRoomOfString(const GEPOperator &gep, const DataLayout &layout) {
  return isa<Instruction>(gep) && gep.hasAllConstantIndices() &&
         any_of(gep.uses(), [&](const Use &use) { return namesString(use, gep, layout); }) &&
         none_of(gep.uses(), [&](const Use &use) { return leavesRoom(use, layout); });
}

} // namespace

Step stepOf(const GEPOperator &gep, const DataLayout &layout) {
  unsigned bits = layout.getIndexSizeInBits(gep.getPointerAddressSpace());
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(bits, 0);
  if (gep.getType()->isVectorTy() || !gep.collectOffset(layout, bits, variable, constant))
    return Step::anywhere();
  Step step;
  step.offset = constant.getSExtValue();
  for (const auto &[index, scale] : variable) {
    int64_t divisor = limited(divisorOf(*index, DeepestSearch), int64_t(1) << 30);
    step.stride = std::gcd(step.stride, std::abs(scale.getSExtValue()) * divisor);
  }
  if (isRoomOfString(gep, layout)) {
    step.extent = StringRoom;
    return step;
  }
  step.recurrent = isRecurrent(gep);
  if (step.recurrent) {
    step.stride = std::gcd(step.stride, step.offset);
    return step;
  }
  if (step.stride)
    boundByArray(gep, layout, step);
  return step;
}

SmallVector<int64_t, 4> fewOffsetsOf(const GEPOperator &gep, const DataLayout &layout) {
  constexpr unsigned Most = 4;
  const unsigned bits = layout.getIndexSizeInBits(gep.getPointerAddressSpace());
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(bits, 0);
  if (gep.getType()->isVectorTy() || !gep.collectOffset(layout, bits, variable, constant) ||
      variable.size() != 1 || isRecurrent(gep))
    return {};
  const auto &[index, scale] = variable.front();
  const ConstantRange range = rangeOf(*index, DeepestSearch);
  if (range.isSizeLargerThan(Most))
    return {};
  SmallVector<int64_t, 4> offsets;
  for (APInt value = range.getLower(); value != range.getUpper(); ++value)
    offsets.push_back((constant + value.sextOrTrunc(bits) * scale).getSExtValue());
  return offsets;
}

} // namespace gnomon::pointsto
