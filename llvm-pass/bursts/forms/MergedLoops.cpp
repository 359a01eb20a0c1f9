// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/forms/MergedLoops.h"

#include "facts/MpiRoles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gnomon {
namespace {

using Blocks = SmallPtrSet<const BasicBlock *, 16>;

/// The functions that may call MPI, as far as calls are direct; an indirect one may.
class Communicating {
public:
  explicit Communicating(const Module &module) {
    SmallVector<const Function *> work;
    for (const Function &function : module)
      if (!function.isDeclaration() &&
          any_of(instructions(function), [](const Instruction &instruction) {
            const auto *call = dyn_cast<CallBase>(&instruction);
            return call && callsItself(*call);
          }))
        work.push_back(&function);
    for (const Function *function : work)
      functions_.insert(function);
    while (!work.empty())
      for (const User *user : work.pop_back_val()->users())
        if (const auto *call = dyn_cast<CallBase>(user);
            call && functions_.insert(call->getFunction()).second)
          work.push_back(call->getFunction());
  }

  bool anyIn(const BasicBlock &block) const {
    return any_of(block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return call && (callsItself(*call) || functions_.contains(call->getCalledFunction()));
    });
  }

private:
  static bool callsItself(const CallBase &call) {
    return !isa<IntrinsicInst>(call) && !call.isInlineAsm() &&
           (!call.getCalledFunction() || mpiFunction(call));
  }

  SmallPtrSet<const Function *, 32> functions_;
};

/// A block with nothing but phis, by which ways back lead to the header: they are one only since it is so.
BasicBlock *emptyLatch(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  return latch && latch != loop.getHeader() && latch->getSingleSuccessor() &&
                 latch->hasNPredecessorsOrMore(2) &&
                 &*latch->getFirstNonPHIOrDbg() == latch->getTerminator()
             ? latch
             : nullptr;
}

/// What a round passes that ends in \p last.
Blocks roundOf(const Loop &loop, const BasicBlock &last) {
  Blocks round{loop.getHeader(), &last};
  SmallVector<const BasicBlock *, 16> work;
  if (&last != loop.getHeader())
    work.push_back(&last);
  while (!work.empty())
    for (const BasicBlock *before : predecessors(work.pop_back_val()))
      if (loop.contains(before) && round.insert(before).second)
        work.push_back(before);
  return round;
}

class Separator {
public:
  Separator(const Communicating &communicating, Loop &loop)
      : communicating_(communicating), loop_(loop) {}

  /// Whether there are two kinds of rounds: those that call MPI, and others.
  bool look() {
    latch_ = emptyLatch(loop_);
    SmallVector<BasicBlock *> ends;
    if (latch_)
      append_range(ends, predecessors(latch_));
    else
      loop_.getLoopLatches(ends);
    for (BasicBlock *end : ends)
      (communicates(*end) ? outer_ : inner_).push_back(end);
    return !outer_.empty() && !inner_.empty();
  }

  /// Whether it could be.
  bool separate() {
    BasicBlock &header = *loop_.getHeader();
    if (header.isEHPad() || (latch_ && !TryToSimplifyUncondBranchFromEmptyBlock(latch_)))
      return false;
    SmallVector<BasicBlock *> others;
    for (BasicBlock *before : predecessors(&header)) {
      if (isa<IndirectBrInst, CallBrInst>(before->getTerminator()))
        return false;
      if (!is_contained(inner_, before) && !is_contained(others, before))
        others.push_back(before);
    }
    BasicBlock *outer = SplitBlockPredecessors(&header, others, ".outer");
    // Places for people: what the loop's ways back said is of the outer one.
    outer->getTerminator()->setDebugLoc(inner_.front()->getTerminator()->getDebugLoc());
    for (BasicBlock *end : inner_)
      end->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
    return true;
  }

private:
  bool communicates(const BasicBlock &end) const {
    return any_of(roundOf(loop_, end),
                  [&](const BasicBlock *block) { return communicating_.anyIn(*block); });
  }

  const Communicating &communicating_;
  Loop &loop_;
  BasicBlock *latch_ = nullptr;
  SmallVector<BasicBlock *> inner_, outer_; ///< where rounds end
};

/// Whether there was such a loop.
bool separateOne(Function &function, const Communicating &communicating) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](Loop *loop) {
    Separator separator(communicating, *loop);
    return separator.look() && separator.separate();
  });
}

} // namespace

void separateMergedLoops(Module &module) {
  const Communicating communicating(module);
  for (Function &function : module)
    if (any_of(function, [&](const BasicBlock &block) { return communicating.anyIn(block); }))
      while (separateOne(function, communicating)) {
      }
}

} // namespace gnomon
