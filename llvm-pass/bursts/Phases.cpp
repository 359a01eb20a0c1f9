// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Phases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Grows a scope: blocks, what they lead to, and the functions that they call.
class Reach {
public:
  Reach(const Program &program, Scope &scope) : program_(program), scope_(scope) {}

  void addBlock(const BasicBlock &block) {
    if (!program_.isError(block) && scope_.insert(&block).second)
      work_.push_back(&block);
  }
  /// The block of a call whose callee is entered at a point of its own.
  void addCallOnly(const BasicBlock &block) { scope_.insert(&block); }
  void addFunction(const Function &function) { addBlock(function.getEntryBlock()); }

  void close() {
    while (!work_.empty()) {
      const BasicBlock *block = work_.pop_back_val();
      for (const BasicBlock *next : successors(block))
        addBlock(*next);
      for (const Instruction &instruction : *block)
        if (const auto *call = dyn_cast<CallBase>(&instruction))
          for (const Function *callee : program_.callees(*call))
            addFunction(*callee);
    }
  }

private:
  const Program &program_;
  Scope &scope_;
  SmallVector<const BasicBlock *, 32> work_;
};

class Search {
public:
  Search(const Program &program, FunctionAnalysisManager &analyses)
      : program_(program), analyses_(analyses) {}

  std::vector<Phase> run(unsigned most) {
    Phase whole;
    Reach reach(program_, whole.scope);
    for (const Function &function : program_.module())
      if (!function.isDeclaration() && program_.calledFromOutside(function))
        reach.addFunction(function);
    reach.close();
    phases_.push_back(std::move(whole));
    if (Function *main = program_.module().getFunction("main"); main && !main->isDeclaration())
      walk(*main);
    if (phases_.size() > most)
      phases_.resize(most);
    return std::move(phases_);
  }

private:
  /// The blocks that the function's way to its end always passes, in order.
  void walk(Function &function) {
    const ControlFlow &flow = program_.flow(function);
    const LoopInfo &loops = analyses_.getResult<LoopAnalysis>(function);
    for (const BasicBlock *block = &function.getEntryBlock(); block; block = flow.join(*block)) {
      if (loops.getLoopFor(block))
        continue;
      enterCalls(*const_cast<BasicBlock *>(block));
      if (leadsToLoop(*block, flow.join(*block), loops))
        addPoint(*const_cast<BasicBlock *>(block)->getTerminator());
    }
  }

  /// Functions that are called here and nowhere else run once, too.
  void enterCalls(BasicBlock &block) {
    for (Instruction &instruction : block) {
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || program_.callers(*callee).size() != 1 ||
          !program_.reachesMpi(*callee) || program_.calledFromOutside(*callee))
        continue;
      chain_.push_back(call);
      walk(*callee);
      chain_.pop_back();
    }
  }

  /// Whether a loop lies between the block and where its ways meet again.
  static bool leadsToLoop(const BasicBlock &block, const BasicBlock *join, const LoopInfo &loops) {
    SmallVector<const BasicBlock *, 8> work(successors(&block));
    DenseSet<const BasicBlock *> seen;
    while (!work.empty()) {
      const BasicBlock *next = work.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      if (loops.getLoopFor(next))
        return true;
      if (next != join)
        append_range(work, successors(next));
    }
    return false;
  }

  void addPoint(Instruction &point) {
    Phase phase;
    phase.point = &point;
    Reach reach(program_, phase.scope);
    for (const BasicBlock *next : successors(point.getParent()))
      reach.addBlock(*next);
    for (const CallBase *call : reverse(chain_)) {
      reach.addCallOnly(*call->getParent());
      for (const Instruction *after = call->getNextNode(); after; after = after->getNextNode())
        if (const auto *other = dyn_cast<CallBase>(after))
          for (const Function *callee : program_.callees(*other))
            reach.addFunction(*callee);
      for (const BasicBlock *next : successors(call->getParent()))
        reach.addBlock(*next);
    }
    for (const Function &function : program_.module())
      if (!function.isDeclaration() && program_.calledFromOutside(function) &&
          function.getName() != "main")
        reach.addFunction(function);
    reach.close();
    phases_.push_back(std::move(phase));
  }

  const Program &program_;
  FunctionAnalysisManager &analyses_;
  SmallVector<CallBase *, 4> chain_;
  std::vector<Phase> phases_;
};

} // namespace

void isolateCalls(const Program &program, FunctionAnalysisManager &analyses) {
  for (Function &function : program.module()) {
    if (function.isDeclaration() || program.callers(function).size() != 1 ||
        !program.reachesMpi(function))
      continue;
    auto *call = const_cast<CallBase *>(program.callers(function).front());
    if (!isa<CallInst>(call))
      continue;
    Function &caller = *call->getFunction();
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(caller);
    DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(caller);
    BasicBlock *block = call->getParent();
    if (call != &*block->getFirstNonPHIIt())
      block = SplitBlock(block, call->getIterator(), &dominators, &loops);
    SplitBlock(block, std::next(call->getIterator()), &dominators, &loops);
  }
}

std::vector<Phase> findPhases(const Program &program, FunctionAnalysisManager &analyses,
                              unsigned most) {
  return Search(program, analyses).run(most);
}

} // namespace gnomon
