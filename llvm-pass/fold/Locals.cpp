// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fold/Locals.h"

#include "names/HookCode.h"
#include "names/HookNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace gnomon {
namespace {

/// What is left of an array that lies elsewhere. Its place tells two arrays of one frame apart.
constexpr uint64_t PlaceBytes = 16;

/// Only what lies on the stack for sure may be marked so. That two arrays are never used at the same time is lost with it.
void removeLifetimes(AllocaInst &local) {
  for (User *user : make_early_inc_range(local.users()))
    if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
      marker->eraseFromParent();
}

/// Behind the arrays of the frame, which stay together at its begin.
BasicBlock::iterator placeBehind(AllocaInst &local) {
  BasicBlock &block = *local.getParent();
  if (block.isEntryBlock())
    if (auto first = block.getFirstNonPHIOrDbgOrAlloca();
        first != block.end() && local.comesBefore(&*first))
      return first;
  return std::next(local.getIterator());
}

/// How many bytes the array has. Marks what computes it.
Value *bytesOf(AllocaInst &local, IRBuilder<> &builder) {
  const DataLayout &layout = local.getDataLayout();
  if (std::optional<TypeSize> size = local.getAllocationSize(layout))
    return builder.getInt64(size->getFixedValue());
  Value *count = builder.CreateZExtOrTrunc(local.getArraySize(), builder.getInt64Ty());
  if (count != local.getArraySize())
    if (auto *instruction = dyn_cast<Instruction>(count))
      markAsHook(*instruction);
  const uint64_t each = layout.getTypeAllocSize(local.getAllocatedType()).getFixedValue();
  if (each == 1)
    return count;
  Value *bytes = builder.CreateMul(count, builder.getInt64(each));
  if (auto *instruction = dyn_cast<Instruction>(bytes))
    markAsHook(*instruction);
  return bytes;
}

CallInst *askForPlace(IRBuilder<> &builder, Constant &record, Value *bytes) {
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee hook = module.getOrInsertFunction(hook::gnomon_local, builder.getPtrTy(),
                                                   builder.getPtrTy(), builder.getInt64Ty());
  CallInst *shared = builder.CreateCall(hook, {&record, bytes}, "shared");
  shared->addRetAttr(Attribute::NoAlias);
  shared->setDoesNotThrow();
  markAsHook(*shared);
  return shared;
}

} // namespace

void placeElsewhere(AllocaInst &local, Constant &record) {
  removeLifetimes(local);
  const bool wasStatic = local.isStaticAlloca();
  IRBuilder<> builder(local.getParent(), placeBehind(local));
  builder.SetCurrentDebugLocation(local.getDebugLoc());
  Value *bytes = bytesOf(local, builder);
  CallInst *shared = askForPlace(builder, record, bytes);
  Value *found = builder.CreateIsNotNull(shared);
  Value *kept = builder.CreateSelect(found, builder.getInt64(PlaceBytes), bytes);
  AllocaInst *own = builder.CreateAlloca(builder.getInt8Ty(), kept, "own");
  own->setAlignment(std::max(local.getAlign(), Align(PlaceBytes)));
  Value *place = builder.CreateSelect(found, shared, own);
  place->takeName(&local);
  // A work's formula (work/Lengths) counts a local array of a computed size as one instruction, others as none.
  for (Value *value : {found, kept, place})
    markAsHook(*cast<Instruction>(value));
  if (wasStatic)
    markAsHook(*own);
  local.replaceAllUsesWith(place);
  local.eraseFromParent();
}

} // namespace gnomon
