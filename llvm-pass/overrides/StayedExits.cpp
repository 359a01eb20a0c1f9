// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Early ends of loops that the user's `stay` names (an iteration that stops when it has
/// converged). The way out gets a block of its own, which the rest of the analysis treats as an
/// error's end: what decides whether it is taken decides nothing, since it is not taken where
/// bursts may be skipped (gnomon_error_path).
#include "overrides/ExitConditions.h"
#include "overrides/Overrides.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// The exits from the innermost loops around them whose conditions stand, in part, at the line.
SmallVector<LoopExit, 2> exitsAt(Function &function, unsigned line, const LoopInfo &loops) {
  SmallVector<LoopExit, 2> exits;
  for (BasicBlock &block : function)
    if (const Loop *loop = loops.getLoopFor(&block))
      if (std::optional<LoopExit> exit = exitOf(*block.getTerminator(), *loop);
          exit && !exit->at(line).empty())
        exits.push_back(std::move(*exit));
  return exits;
}

/// Whether the loop can end although none of these conditions holds.
bool endsOtherwise(const Loop &loop, ArrayRef<LoopExit> cut, unsigned line) {
  SmallVector<Loop::Edge, 4> edges;
  loop.getExitEdges(edges);
  return any_of(edges, [&](const Loop::Edge &edge) {
    const auto *exit =
        find_if(cut, [&](const LoopExit &each) { return each.branch->getParent() == edge.first; });
    if (exit != cut.end())
      return exit->at(line).size() < exit->conditions.size();
    return !isa<UnreachableInst>(edge.second->getTerminator());
  });
}

Value *join(IRBuilder<> &builder, ArrayRef<Value *> conditions, bool ors) {
  Value *all = nullptr;
  for (Value *condition : conditions) {
    // Behind another condition of the source it may have had no value.
    Value *frozen = builder.CreateFreeze(condition);
    all = !all ? frozen : ors ? builder.CreateOr(all, frozen) : builder.CreateAnd(all, frozen);
  }
  return all;
}

/// The branch for the conditions of the line comes first, the one for the others behind it.
void unjoin(LoopExit &exit, unsigned line, DominatorTree &dominators, LoopInfo &loops) {
  SmallVector<Value *, 2> now = exit.at(line), others;
  copy_if(exit.conditions, std::back_inserter(others),
          [&](Value *condition) { return !is_contained(now, condition); });
  if (others.empty())
    return;
  bool first = exit.successor == 0;
  BasicBlock *block = exit.branch->getParent(), *out = exit.branch->getSuccessor(exit.successor);
  BasicBlock *behind = SplitBlock(block, exit.branch, &dominators, &loops);
  IRBuilder<> builder(block->getTerminator());
  Value *condition = join(builder, now, first);
  auto *branch = first ? builder.CreateCondBr(condition, out, behind)
                       : builder.CreateCondBr(condition, behind, out);
  branch->setDebugLoc(cast<Instruction>(now.front())->getDebugLoc());
  block->getTerminator()->eraseFromParent();
  for (PHINode &phi : out->phis())
    phi.addIncoming(phi.getIncomingValueForBlock(behind), block);
  dominators.insertEdge(block, out);
  builder.SetInsertPoint(exit.branch);
  exit.branch->setCondition(join(builder, others, first));
  exit.branch = branch;
}

void warn(const Function &function, unsigned line, StringRef text) {
  function.getContext().diagnose(DiagnosticInfoGeneric("gnomon: 'stay' at line " + Twine(line) +
                                                           " of " + function.getName() +
                                                           " is ignored: " + text,
                                                       DS_Warning));
}

} // namespace

SmallVector<BasicBlock *, 2> cutStayedExits(const Overrides &overrides,
                                            FunctionAnalysisManager &analyses) {
  SmallVector<BasicBlock *, 2> blocks;
  for (const Overrides::StayLine &said : overrides.stays()) {
    auto &function = const_cast<Function &>(*said.function);
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    SmallVector<LoopExit, 2> exits = exitsAt(function, said.line, loops);
    if (exits.empty()) {
      warn(function, said.line, "no branch of this line leaves a loop");
      continue;
    }
    if (any_of(exits, [&](const LoopExit &exit) {
          return !endsOtherwise(*loops.getLoopFor(exit.branch->getParent()), exits, said.line);
        })) {
      warn(function, said.line, "the loop has no other end");
      continue;
    }
    for (LoopExit &exit : exits) {
      unjoin(exit, said.line, dominators, loops);
      if (BasicBlock *block =
              SplitEdge(exit.branch->getParent(), exit.branch->getSuccessor(exit.successor),
                        &dominators, &loops))
        blocks.push_back(block);
    }
  }
  return blocks;
}

} // namespace gnomon
