// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/DeadLocals.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

bool isLifetime(const Instruction &instruction) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

/// Whether the instruction leaves nothing of what the variable held.
bool overwrites(const Instruction &instruction, const AllocaInst &variable) {
  if (isLifetime(instruction))
    return is_contained(instruction.operand_values(), &variable);
  const auto *store = dyn_cast<StoreInst>(&instruction);
  const DataLayout &layout = variable.getModule()->getDataLayout();
  return store && store->getPointerOperand() == &variable &&
         layout.getTypeStoreSize(store->getValueOperand()->getType()) ==
             *variable.getAllocationSize(layout);
}

enum class Use { None, Read, Overwritten };

Use firstUse(iterator_range<BasicBlock::const_iterator> range, const AllocaInst &variable) {
  for (const Instruction &instruction : range) {
    if (!is_contained(instruction.operand_values(), &variable))
      continue;
    return overwrites(instruction, variable) ? Use::Overwritten : Use::Read;
  }
  return Use::None;
}

} // namespace

bool DeadLocals::isDeadBehind(const Region &region, Cell cell) {
  const auto *variable = dyn_cast_or_null<AllocaInst>(memory_.program().pointsTo().originOf(cell));
  if (!variable || variable->getFunction() != region.function || !isPlain(*variable))
    return false;
  Blocks behind;
  for (const BasicBlock *block : region.blocks)
    for (const BasicBlock *next : successors(block))
      if (!is_contained(region.blocks, next))
        behind.push_back(next);
  return !isReadFrom(*variable, std::move(behind));
}

bool DeadLocals::isDeadBehind(const StoreInst &store) {
  const auto *variable = dyn_cast<AllocaInst>(store.getPointerOperand());
  if (!variable || !isPlain(*variable))
    return false;
  const BasicBlock &block = *store.getParent();
  Use use = firstUse({std::next(store.getIterator()), block.end()}, *variable);
  if (use != Use::None)
    return use == Use::Overwritten;
  return !isReadFrom(*variable, {succ_begin(&block), succ_end(&block)});
}

/// Whether a path from the beginning of one of the blocks reads it before it is overwritten.
bool DeadLocals::isReadFrom(const AllocaInst &variable, Blocks work) const {
  DenseSet<const BasicBlock *> seen;
  while (!work.empty()) {
    const BasicBlock &block = *work.pop_back_val();
    if (memory_.program().isError(block) || !seen.insert(&block).second)
      continue;
    Use use = firstUse({block.begin(), block.end()}, variable);
    if (use == Use::Read)
      return true;
    if (use == Use::None)
      append_range(work, successors(&block));
  }
  return false;
}

/// A scalar that is read and written only while it is named: nobody keeps its address.
bool DeadLocals::isPlain(const AllocaInst &variable) {
  auto [found, isNew] = plain_.try_emplace(&variable, false);
  if (!isNew)
    return found->second;
  DenseSet<const Value *> seen;
  bool plain = variable.isStaticAlloca() && !variable.isArrayAllocation() &&
               variable.getAllocatedType()->isSingleValueType() && onlyAccessed(variable, seen);
  return plain_[&variable] = plain;
}

bool DeadLocals::onlyAccessed(const Value &pointer, DenseSet<const Value *> &seen) const {
  if (!seen.insert(&pointer).second)
    return true;
  return all_of(pointer.uses(), [&](const llvm::Use &use) {
    const auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return false;
    if (isa<LoadInst>(user) || isLifetime(*user))
      return true;
    if (isa<StoreInst>(user))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex();
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->isArgOperand(&use) && !keeps(*call, call->getArgOperandNo(&use), seen);
  });
}

/// Whether the call may keep or hand out the address that it gets.
bool DeadLocals::keeps(const CallBase &call, unsigned index, DenseSet<const Value *> &seen) const {
  if (call.doesNotCapture(index))
    return false;
  if (const MpiFunction *mpi = mpiFunction(call))
    return !mpi->blocking || index >= mpi->arguments.size() ||
           mpi->arguments[index].role == MpiRole::Memory ||
           mpi->arguments[index].role == MpiRole::Callback;
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return true;
  if (!callee->isDeclaration())
    return index >= callee->arg_size() || !onlyAccessed(*callee->getArg(index), seen);
  const Effect &effect = memory_.effect(call);
  return effect.mayReturn(index) || effect.mayKeep(index, call.arg_size());
}

} // namespace gnomon
