// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Early ends of loops that the user's `stay` names (an iteration that stops when it has converged).
/// The way out gets a block of its own, which the rest of the analysis treats as an error's end:
/// what decides whether it is taken decides nothing, since it is not taken where bursts may be
/// skipped (gnomon_error_path).
#include "bursts/Overrides.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

using Edge = std::pair<BasicBlock *, BasicBlock *>;

/// The edge by which a branch of that line leaves the innermost loop around it.
SmallVector<Edge, 2> exitsAt(Function &function, unsigned line, const LoopInfo &loops) {
  SmallVector<Edge, 2> edges;
  for (BasicBlock &block : function) {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    const Loop *loop = loops.getLoopFor(&block);
    if (!loop || !branch || !branch->isConditional() || !branch->getDebugLoc() ||
        branch->getDebugLoc().getLine() != line)
      continue;
    for (BasicBlock *next : successors(&block))
      if (!loop->contains(next))
        edges.emplace_back(&block, next);
  }
  return edges;
}

/// Whether the loop can end by an edge that is not one of these.
bool endsOtherwise(const Loop &loop, ArrayRef<Edge> edges) {
  SmallVector<Loop::Edge, 4> exits;
  loop.getExitEdges(exits);
  return any_of(exits, [&](const Loop::Edge &exit) {
    return !isa<UnreachableInst>(exit.second->getTerminator()) &&
           none_of(edges, [&](const Edge &edge) {
             return edge.first == exit.first && edge.second == exit.second;
           });
  });
}

void warn(const Function &function, unsigned line, StringRef text) {
  function.getContext().diagnose(DiagnosticInfoGeneric(
      "gnomon: 'stay' at line " + Twine(line) + " of " + function.getName() + " is ignored: " + text,
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
    SmallVector<Edge, 2> edges = exitsAt(function, said.line, loops);
    if (edges.empty()) {
      warn(function, said.line, "no branch of this line leaves a loop");
      continue;
    }
    if (any_of(edges, [&](const Edge &edge) {
          return !endsOtherwise(*loops.getLoopFor(edge.first), edges);
        })) {
      warn(function, said.line, "the loop has no other end");
      continue;
    }
    for (auto [from, to] : edges)
      if (BasicBlock *block = SplitEdge(from, to, &dominators, &loops))
        blocks.push_back(block);
  }
  return blocks;
}

} // namespace gnomon
