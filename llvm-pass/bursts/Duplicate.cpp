// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Duplicate.h"

#include "slice/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gnomon {

Duplicate::Duplicate(const Region &region, const Reloads &reloads, const Streams &streams)
    : region_(region), reloads_(reloads), streams_(streams),
      originals_(region.blocks.begin(), region.blocks.end()) {
  for (BasicBlock *block : region.blocks)
    for (BasicBlock *next : successors(block))
      if (!inside(next))
        exits_.push_back({block, next});
}

void Duplicate::make(const ControlFlow &flow, Predicate kept) {
  copyBlocks();
  joinExits();
  replaceReloads();
  replaceStreams();
  keepStale(kept);
  for (BasicBlock *block : region_.blocks) {
    const Instruction *last = block->getTerminator();
    if (last->getNumSuccessors() > 1 && !kept(*last))
      cutBranch(*block, *cast<BasicBlock>(map_[block]), flow);
  }
  reduce(kept);
}

BasicBlock *Duplicate::entry() const { return cast<BasicBlock>(map_.lookup(region_.entry)); }

void Duplicate::copyBlocks() {
  for (BasicBlock *block : region_.blocks) {
    BasicBlock *copy = CloneBasicBlock(block, map_, ".skip", region_.function);
    map_[block] = copy;
    copies_.insert(copy);
  }
  for (BasicBlock *copy : copies_)
    for (Instruction &instruction : *copy) {
      instruction.dropDbgRecords();
      RemapInstruction(&instruction, map_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
}

/// Phis behind the region get an edge from the copy for each that they have from the original.
void Duplicate::joinExits() {
  SmallSetVector<BasicBlock *, 4> targets;
  for (const Exit &exit : exits_)
    targets.insert(exit.to);
  for (BasicBlock *target : targets)
    for (PHINode &phi : target->phis())
      for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
        if (!inside(phi.getIncomingBlock(i)))
          continue;
        Value *value = phi.getIncomingValue(i);
        auto mapped = map_.find(value);
        Value *copied = mapped == map_.end() ? value : &*mapped->second;
        auto *from = cast<BasicBlock>(map_[phi.getIncomingBlock(i)]);
        if (Value *same = reloaded(phi, from->getTerminator()->getIterator()))
          copied = same;
        phi.addIncoming(copied, from);
      }
}

/// In the copy, what has the phi's value: the load, or the number of the address that it loads, made in front of \p before;
/// null: the phi is a choice.
Value *Duplicate::reloaded(const PHINode &phi, BasicBlock::iterator before) {
  const LoadInst *load = reloads_.lookup(&phi);
  if (!load)
    return nullptr;
  auto mapped = map_.find(load);
  Value *same = mapped == map_.end() ? const_cast<LoadInst *>(load) : &*mapped->second;
  return same->getType() == phi.getType() ? same
                                          : new PtrToIntInst(same, phi.getType(), "", before);
}

void Duplicate::replaceReloads() {
  for (BasicBlock *block : region_.blocks)
    for (const PHINode &phi : block->phis()) {
      auto *copy = cast<PHINode>(map_.lookup(&phi));
      if (Value *same = reloaded(phi, copy->getParent()->getFirstInsertionPt())) {
        map_.erase(&phi); // it would follow the replacement
        copy->replaceAllUsesWith(same);
        copy->eraseFromParent();
      }
    }
}

void Duplicate::replaceStreams() {
  for (BasicBlock *block : region_.blocks)
    for (const Instruction &original : *block) {
      const auto *call = dyn_cast<CallBase>(&original);
      if (!call || !streams_.contains(call))
        continue;
      auto *copy = cast<CallBase>(map_.lookup(call));
      map_.erase(call); // it would follow the replacement
      copy->replaceAllUsesWith(copy->getArgOperand(0));
      if (!copy->isTerminator())
        copy->eraseFromParent();
    }
}

/// What an iteration carries to the next keeps its value when the iteration is skipped and the
/// value is irrelevant.
void Duplicate::keepStale(Predicate kept) {
  if (region_.kind != Region::Iteration)
    return;
  for (PHINode &phi : region_.header->phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (!inside(phi.getIncomingBlock(i)))
        continue;
      auto *value = dyn_cast<Instruction>(phi.getIncomingValue(i));
      if (!value || !inside(value->getParent()) || kept(*value))
        continue;
      BasicBlock *copy = cast<BasicBlock>(map_[phi.getIncomingBlock(i)]);
      phi.setIncomingValueForBlock(copy, &phi);
    }
}

/// An exit whose target is \p join, else where the loop ends as a rule, else the first one behind which the program goes
/// on.
BasicBlock *Duplicate::exitTowards(const BasicBlock *join, const ControlFlow &flow) const {
  BasicBlock *first = nullptr;
  for (const Exit &exit : exits_)
    if (exit.to == join)
      return exit.to;
  for (const Exit &exit : exits_) {
    if (exit.to->isEHPad() || !flow.goesOn(*exit.to))
      continue;
    if (exit.from == region_.header || is_contained(successors(exit.from), region_.header))
      return exit.to;
    if (!first)
      first = exit.to;
  }
  return first;
}

/// A branch that decides nothing relevant goes straight to where its ways meet.
void Duplicate::cutBranch(BasicBlock &original, BasicBlock &copy, const ControlFlow &flow) {
  const BasicBlock *join = flow.join(original);
  BasicBlock *target = join && inside(join) ? cast<BasicBlock>(map_[const_cast<BasicBlock *>(join)])
                                            : exitTowards(join, flow);
  if (!target) // An endless loop: it stays as it is.
    return;
  redirect(copy, target);
}

void Duplicate::redirect(BasicBlock &copy, BasicBlock *target) {
  Instruction *last = copy.getTerminator();
  // An invoke's result: a phi behind it may take it over this very edge.
  if (!last->getType()->isVoidTy())
    last->replaceAllUsesWith(Constant::getNullValue(last->getType()));
  SmallVector<std::pair<PHINode *, Value *>, 4> values;
  for (PHINode &phi : target->phis()) {
    int index = phi.getBasicBlockIndex(&copy);
    Value *value = index >= 0 ? phi.getIncomingValue(index)
                              : reloaded(phi, copy.getTerminator()->getIterator());
    values.emplace_back(&phi, value ? value : Constant::getNullValue(phi.getType()));
  }
  SmallVector<BasicBlock *, 4> before(successors(&copy));
  for (BasicBlock *next : before)
    next->removePredecessor(&copy, /*KeepOneInputPHIs=*/true);
  last->eraseFromParent();
  BranchInst::Create(target, &copy);
  for (auto [phi, value] : values)
    phi->addIncoming(value, &copy);
}

/// Removes what is irrelevant from the copy.
void Duplicate::reduce(Predicate kept) {
  SmallVector<Instruction *, 32> dead;
  for (BasicBlock *block : region_.blocks)
    for (Instruction &original : *block) {
      Value *mapped = map_.lookup(&original);
      auto *copy = dyn_cast_or_null<Instruction>(mapped);
      if (!copy || original.isTerminator() || kept(original) || isa<LandingPadInst>(original))
        continue;
      if (!copy->getType()->isVoidTy())
        copy->replaceAllUsesWith(Constant::getNullValue(copy->getType()));
      dead.push_back(copy);
    }
  for (Instruction *copy : dead)
    copy->eraseFromParent();
}

} // namespace gnomon
