// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Staleness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {

Staleness::Staleness(const MemoryUse &memory, const Regions &regions,
                     const std::vector<Decision> &decisions)
    : memory_(memory), program_(memory.program()),
      cells_(memory.program().pointsTo().cellCount(), false) {
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.skippable)
      seed(region, decision);
  close();
}

/// What a skipped instance leaves undone.
void Staleness::seed(const Region &region, const Decision &decision) {
  for (const BasicBlock *block : region.blocks)
    for (const Instruction &instruction : *block) {
      if (decision.kept.contains(&instruction))
        continue;
      for (Cell cell : memory_.writes(instruction))
        addCell(cell);
      for (const User *user : instruction.users())
        if (!is_contained(region.blocks, cast<Instruction>(user)->getParent()))
          addValue(instruction);
    }
  for (const Function *function : functionsCalled(program_, region))
    for (const Instruction &instruction : instructions(*function))
      for (Cell cell : memory_.writes(instruction))
        addCell(cell);
}

void Staleness::addValue(const Value &value) {
  if (values_.insert(&value).second)
    newValues_.push_back(&value);
}

void Staleness::addCell(Cell cell) {
  if (!cells_[cell]) {
    cells_[cell] = true;
    newCells_.push_back(cell);
  }
}

void Staleness::close() {
  while (!newValues_.empty() || !newCells_.empty() || !newRuns_.empty()) {
    if (!newRuns_.empty()) {
      const BasicBlock *block = newRuns_.back();
      newRuns_.pop_back();
      followRun(*block);
      continue;
    }
    if (!newCells_.empty()) {
      Cell cell = newCells_.back();
      newCells_.pop_back();
      followCell(cell);
      continue;
    }
    const Value *value = newValues_.back();
    newValues_.pop_back();
    for (const User *user : value->users())
      if (const auto *instruction = dyn_cast<Instruction>(user))
        followUse(*value, *instruction);
  }
}

void Staleness::addWrites(const Instruction &instruction) {
  for (Cell cell : memory_.writes(instruction))
    addCell(cell);
}

void Staleness::followCell(Cell cell) {
  for (const Instruction *reader : memory_.readers(cell)) {
    const auto *call = dyn_cast<CallBase>(reader);
    if (call && mpiFunction(*call)) {
      followMpi(*call);
      continue;
    }
    if (!reader->getType()->isVoidTy())
      addValue(*reader);
    addWrites(*reader); // a copy, a library's function, an atomic
  }
}

void Staleness::followMpi(const CallBase &sender) {
  addWrites(sender);
  SmallVector<Channel, 2> outgoing = memory_.outgoing(sender);
  for (const Instruction *other : memory_.mpiCalls()) {
    const auto &receiver = *cast<CallBase>(other);
    for (const Channel &in : memory_.incoming(receiver))
      if (any_of(outgoing, [&](const Channel &out) { return in.meets(out); }))
        addWrites(receiver);
  }
}

void Staleness::followUse(const Value &value, const Instruction &user) {
  if (const auto *call = dyn_cast<CallBase>(&user)) {
    for (const Function *callee : program_.callees(*call))
      for (unsigned i = 0; i < std::min<size_t>(callee->arg_size(), call->arg_size()); ++i)
        if (call->getArgOperand(i) == &value)
          addValue(*callee->getArg(i));
    bool external = !call->getCalledFunction() || call->getCalledFunction()->isDeclaration();
    if (external && !mpiFunction(*call)) {
      if (!call->getType()->isVoidTy())
        addValue(*call);
      addWrites(*call);
    }
    return;
  }
  if (isa<ReturnInst>(user)) {
    for (const CallBase *call : program_.callers(*user.getFunction()))
      if (!call->getType()->isVoidTy())
        addValue(*call);
    return;
  }
  if (user.isTerminator())
    return followBranch(user);
  if (!user.getType()->isVoidTy())
    addValue(user);
  if (user.mayWriteToMemory())
    addWrites(user);
}

void Staleness::findDecided(const Function &function) {
  if (!mapped_.insert(&function).second)
    return;
  for (const BasicBlock &block : function)
    for (const Instruction *decider : program_.flow(function).deciders(block))
      decided_[decider].push_back(&block);
}

/// Whether what the branch decides runs is not sure: what that writes, and what merges behind it, is stale.
void Staleness::followBranch(const Instruction &branch) {
  findDecided(*branch.getFunction());
  SmallVector<const BasicBlock *, 8> blocks = {};
  append_range(blocks, decided_[&branch]);
  for (const BasicBlock *block : blocks)
    addRun(*block);
  for (const BasicBlock *next : successors(branch.getParent()))
    for (const PHINode &phi : next->phis())
      addValue(phi);
}

void Staleness::addRun(const BasicBlock &block) {
  if (runs_.insert(&block).second)
    newRuns_.push_back(&block);
}

void Staleness::followRun(const BasicBlock &block) {
  for (const Instruction &instruction : block) {
    addWrites(instruction);
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      for (const Function *callee : program_.callees(*call))
        if (unsure_.insert(callee).second)
          for (const BasicBlock &inner : *callee)
            addRun(inner);
  }
  for (const BasicBlock *next : successors(&block))
    for (const PHINode &phi : next->phis())
      addValue(phi);
  if (block.getTerminator()->getNumSuccessors() > 1)
    followBranch(*block.getTerminator());
}

namespace {

/// Calls \p use for each place where a region's code could fault.
template <typename Use>
void forEachUnsafe(const Program &program, const Roots &roots, const Region &region, Use use) {
  auto scan = [&](const BasicBlock &block) {
    if (program.isError(block))
      return;
    for (const Instruction &instruction : block)
      use(instruction);
  };
  for (const BasicBlock *block : region.blocks)
    scan(*block);
  for (const Function *function : functionsCalled(program, region))
    for (const BasicBlock &block : *function)
      scan(block);
}

bool isFrail(const Program &program, const Roots &roots, const Region &region,
             const Staleness &staleness) {
  bool frail = false;
  forEachUnsafe(program, roots, region, [&](const Instruction &instruction) {
    if (frail)
      return;
    roots.forEachUnsafe(instruction, [&](const Value &value, const char *) {
      frail |= staleness.isStale(value);
    });
    roots.forEachUnsafeCell(instruction,
                            [&](Cell cell, const char *) { frail |= staleness.isStale(cell); });
    if (&instruction == &instruction.getParent()->front() &&
        roots.isLoopHeader(*instruction.getParent()))
      for (const Instruction *exit : roots.loopExits(*instruction.getParent()))
        frail |= any_of(exit->operands(),
                        [&](const Use &operand) { return staleness.isStale(*operand); });
  });
  return frail;
}

bool dropsNeeded(const Program &program, const Region &region, const Decision &decision,
                 const Slice &slice) {
  auto drops = [&](const BasicBlock &block) {
    return any_of(block, [&](const Instruction &instruction) {
      return slice.isRelevant(instruction) && !decision.kept.contains(&instruction);
    });
  };
  return any_of(region.blocks, [&](const BasicBlock *block) { return drops(*block); }) ||
         any_of(functionsCalled(program, region),
                [&](const Function *function) { return any_of(*function, drops); });
}

} // namespace

void findFrail(const MemoryUse &memory, const Roots &roots, const Regions &regions,
               const Phase &whole, const Staleness &staleness, std::vector<Decision> &decisions) {
  const Program &program = memory.program();
  Slice slice(memory, whole.scope);
  bool any = false;
  for (auto [region, decision] : zip(regions.all(), decisions)) {
    if (!decision.skippable || !isFrail(program, roots, region, staleness))
      continue;
    decision.frail = any = true;
    forEachUnsafe(program, roots, region, [&](const Instruction &instruction) {
      roots.addSafety(slice, instruction);
    });
  }
  if (!any)
    return;
  slice.close();
  for (auto [region, decision] : zip(regions.all(), decisions))
    decision.weakens = decision.skippable && dropsNeeded(program, region, decision, slice);
}

} // namespace gnomon
