// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "points-to/TextCopies.h"

#include "points-to/AccessClass.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gnomon::pointsto {
namespace {

/// The call that has counted the bytes; with the zero behind them, where one is added. Null: another number.
const CallBase *countOf(const Value &length, const Value &text) {
  const Value *count = &length;
  if (const auto *sum = dyn_cast<BinaryOperator>(count);
      sum && sum->getOpcode() == Instruction::Add)
    if (const auto *one = dyn_cast<ConstantInt>(sum->getOperand(1)); one && one->isOne())
      count = sum->getOperand(0);
  const auto *call = dyn_cast<CallBase>(count);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  const bool counts = callee && callee->isDeclaration() && callee->getName() == "strlen" &&
                      call->getArgOperand(0)->stripPointerCasts() == text.stripPointerCasts();
  return counts ? call : nullptr;
}

bool isLocal(const Value &pointer, const Value *text) {
  const Value *object = getUnderlyingObject(&pointer);
  return isa<AllocaInst>(object) && object != text;
}

/// Whether the instruction may write an address over the text, which lies in the object \p text.
bool mayOverwrite(const Instruction &instruction, const Value *text) {
  if (!instruction.mayWriteToMemory() || instruction.isLifetimeStartOrEnd())
    return false;
  if (const auto *store = dyn_cast<StoreInst>(&instruction))
    return !isLocal(*store->getPointerOperand(), text) && !isTextOfString(*store);
  if (const auto *moved = dyn_cast<MemIntrinsic>(&instruction))
    return !isLocal(*moved->getRawDest(), text);
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return true;
  // New memory, and what libstdc++'s std::string gets for its characters.
  const StringRef name = callee->getName();
  return name != "malloc" && !name.starts_with("_Znw") && !name.starts_with("_Zna") &&
         !name.starts_with("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_create");
}

/// Whether nothing writes over the text on any way from where it was counted to the copy.
bool staysText(const Instruction &counted, const Instruction &copy, const Value *text) {
  constexpr unsigned MostBlocks = 32;
  auto overwritten = [&](BasicBlock::const_reverse_iterator from, const BasicBlock &block) {
    for (const Instruction &instruction : make_range(from, block.rend())) {
      if (&instruction == &counted)
        return false;
      if (mayOverwrite(instruction, text))
        return true;
    }
    return false;
  };
  if (overwritten(std::next(copy.getReverseIterator()), *copy.getParent()))
    return false;
  if (copy.getParent() == counted.getParent())
    return true; // In between there is no more than that.
  SmallVector<const BasicBlock *, 8> work(predecessors(copy.getParent()));
  SmallPtrSet<const BasicBlock *, 8> seen(work.begin(), work.end());
  for (size_t i = 0; i < work.size(); ++i) {
    if (work.size() > MostBlocks || overwritten(work[i]->rbegin(), *work[i]))
      return false;
    if (work[i] == counted.getParent())
      continue;
    for (const BasicBlock *before : predecessors(work[i]))
      if (seen.insert(before).second)
        work.push_back(before);
  }
  return true;
}

} // namespace

bool copiesText(const AnyMemTransferInst &copy) {
  const Value &text = *copy.getRawSource();
  const CallBase *counted = countOf(*copy.getLength(), text);
  return counted && staysText(*counted, copy, getUnderlyingObject(&text));
}

} // namespace gnomon::pointsto
