// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Roots says of loops: their headers, and the branches that decide when they end.
#include "bursts/Roots.h"
#include "names/Places.h"
#include "overrides/ExitConditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gnomon {

const LoopInfo &Roots::loops(const Function &function) const {
  return analyses_.getResult<LoopAnalysis>(const_cast<Function &>(function));
}

bool Roots::isLoopHeader(const BasicBlock &block) const {
  return loops(*block.getParent()).isLoopHeader(&block);
}

SmallVector<const Instruction *, 4> Roots::loopExits(const BasicBlock &header) const {
  const Loop *loop = loops(*header.getParent()).getLoopFor(&header);
  const ControlFlow &flow = program_.flow(*header.getParent());
  SmallVector<const Instruction *, 4> exits;
  SmallVector<const BasicBlock *, 8> work{&header};
  DenseSet<const BasicBlock *> seen{&header};
  while (!work.empty())
    for (const Instruction *decider : flow.deciders(*work.pop_back_val())) {
      if (!loop->contains(decider))
        continue;
      if (!is_contained(exits, decider) && !program_.branchesOnOwnThrows(*decider))
        exits.push_back(decider);
      if (seen.insert(decider->getParent()).second)
        work.push_back(decider->getParent());
    }
  return exits;
}

bool Roots::endsLoopWithMpi(const Instruction &branch) const {
  const Loop *loop = loops(*branch.getFunction()).getLoopFor(branch.getParent());
  return loop && loop->isLoopExiting(branch.getParent()) &&
         any_of(loop->blocks(), [&](const BasicBlock *block) {
           return any_of(*block, [&](const Instruction &instruction) {
             const auto *call = dyn_cast<CallBase>(&instruction);
             return call && program_.reachesMpi(*call);
           });
         });
}

bool Roots::hasOtherEnd(const Instruction &exit, unsigned line) const {
  const Loop *loop = loops(*exit.getFunction()).getLoopFor(exit.getParent());
  std::optional<LoopExit> conditions = exitOf(exit, *loop);
  if (conditions && conditions->at(line).size() < conditions->conditions.size())
    return true;
  return any_of(loop->blocks(), [&](const BasicBlock *block) {
    return block != exit.getParent() && any_of(successors(block), [&](const BasicBlock *next) {
             return !loop->contains(next) && !program_.isError(*next);
           });
  });
}

std::string Roots::loopPlace(const Instruction &instruction) const {
  const Loop *loop = loops(*instruction.getFunction()).getLoopFor(instruction.getParent());
  DebugLoc start = loop ? loop->getStartLoc() : DebugLoc();
  if (start && start.getLine() > 0)
    return placeOf(start);
  return placeOf(loop ? loop->getHeader()->front() : instruction);
}

} // namespace gnomon
