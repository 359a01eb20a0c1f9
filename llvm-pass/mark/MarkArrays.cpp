// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mark/MarkArrays.h"

#include "facts/MemberArrays.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon {
namespace {

/// `gep S, p, 0, 1, i, …` becomes the constant part, the index by a type that says from where to where it leads, and what
/// is left.
bool mark(GetElementPtrInst &gep, const DataLayout &layout) {
  if (gep.getType()->isVectorTy() || !gep.isInBounds() ||
      isa<AllocaInst, GlobalValue>(getUnderlyingObject(gep.getPointerOperand())))
    return false;
  const std::optional<ArrayIndex> index = outermostIndexOf(*cast<GEPOperator>(&gep), layout);
  if (!index)
    return false;
  IRBuilder<> builder(&gep);
  Value *start = gep.getPointerOperand();
  if (index->offset != 0)
    start = builder.CreatePtrAdd(start, builder.getInt64(uint64_t(index->offset)), "",
                                 gep.getNoWrapFlags());
  StructType *type =
      markedType(*index->element, index->low - index->offset, index->high - index->offset);
  Value *place =
      builder.CreateGEP(type, start, gep.getOperand(index->operand), "", gep.getNoWrapFlags());
  if (index->operand + 1 < gep.getNumOperands()) {
    SmallVector<Value *, 4> rest{builder.getInt64(0)};
    append_range(rest, drop_begin(gep.operands(), index->operand + 1));
    place = builder.CreateGEP(index->element, place, rest, "", gep.getNoWrapFlags());
  }
  place->takeName(&gep);
  gep.replaceAllUsesWith(place);
  return true;
}

} // namespace

PreservedAnalyses MarkArraysPass::run(Module &module, ModuleAnalysisManager &) {
  // Rows of arrays of arrays are looked at by what they start from: all are found first.
  SmallVector<GetElementPtrInst *> marked;
  for (Function &function : module)
    for (Instruction &instruction : reverse(instructions(function)))
      if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction);
          gep && mark(*gep, module.getDataLayout()))
        marked.push_back(gep);
  for (GetElementPtrInst *gep : marked)
    gep->eraseFromParent();
  return marked.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace gnomon
