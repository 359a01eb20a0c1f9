// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Phases.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <memory>

using namespace llvm;

namespace gnomon {
namespace {

/// What the calls of each block enter: asked once, not for each phase.
class BlockCalls {
public:
  explicit BlockCalls(const Program &program) {
    for (const Function &function : program.module())
      for (const BasicBlock &block : function)
        for (const Instruction &instruction : block)
          if (const auto *call = dyn_cast<CallBase>(&instruction))
            if (ArrayRef<const Function *> callees = program.callees(*call); !callees.empty())
              callees_[&block].push_back(callees);
  }
  ArrayRef<ArrayRef<const Function *>> of(const BasicBlock &block) const {
    auto place = callees_.find(&block);
    return place == callees_.end() ? ArrayRef<ArrayRef<const Function *>>() : place->second;
  }

private:
  DenseMap<const BasicBlock *, SmallVector<ArrayRef<const Function *>, 1>> callees_;
};

/// Where the block may lead while values are as known.
template <typename Use> void forEachNext(const BasicBlock &block, const Known *known, Use use) {
  if (known)
    if (const BasicBlock *taken = known->taken.lookup(block.getTerminator()))
      return use(*taken);
  for (const BasicBlock *next : successors(&block))
    use(*next);
}

/// What a function leads to that is entered at its beginning: the same in each phase without a condition.
class Bodies {
public:
  struct Body {
    SmallVector<const BasicBlock *, 0> blocks; ///< none when it only leads to an error
    SmallVector<ArrayRef<const Function *>, 1> callees;
  };

  Bodies(const Program &program, const BlockCalls &calls, const Known *known)
      : program_(program), calls_(calls), known_(known) {}

  const Body &of(const Function &function) {
    std::unique_ptr<Body> &body = bodies_[&function];
    if (!body)
      body = std::make_unique<Body>(find(function));
    return *body;
  }

private:
  Body find(const Function &function) const {
    Body body;
    DenseSet<const BasicBlock *> seen;
    DenseSet<const void *> called;
    auto add = [&](const BasicBlock &block) {
      if (!program_.isError(block) && seen.insert(&block).second)
        body.blocks.push_back(&block);
    };
    add(function.getEntryBlock());
    for (size_t i = 0; i < body.blocks.size(); ++i) {
      forEachNext(*body.blocks[i], known_, add);
      for (ArrayRef<const Function *> callees : calls_.of(*body.blocks[i]))
        if (called.insert(callees.data()).second)
          body.callees.push_back(callees);
    }
    return body;
  }

  const Program &program_;
  const BlockCalls &calls_;
  const Known *known_;
  DenseMap<const Function *, std::unique_ptr<Body>> bodies_; ///< looked up only
};

/// Grows a scope: blocks, what they lead to, and the functions that they call.
class Reach {
public:
  Reach(const Program &program, const BlockCalls &calls, Bodies &bodies, Scope &scope)
      : program_(program), calls_(calls), bodies_(bodies), scope_(scope) {}

  void addBlock(const BasicBlock &block) {
    if (scope_.contains(&block) || program_.isError(block))
      return;
    scope_.insert(&block);
    work_.push_back(&block);
  }
  /// The block of a call whose callee is entered at a point of its own.
  void addCallOnly(const BasicBlock &block) { scope_.insert(&block); }
  void addFunction(const Function &function) {
    if (!scope_.contains(&function.getEntryBlock()))
      functions_.push_back(&function);
  }

  void close() {
    while (!work_.empty()) {
      const BasicBlock *block = work_.pop_back_val();
      forEachNext(*block, scope_.known(), [&](const BasicBlock &next) { addBlock(next); });
      addCallees(calls_.of(*block));
    }
    while (!functions_.empty()) {
      const Function *function = functions_.pop_back_val();
      if (scope_.contains(&function->getEntryBlock()))
        continue;
      const Bodies::Body &body = bodies_.of(*function);
      scope_.insert(*function, body.blocks);
      addCallees(body.callees);
    }
  }

private:
  void addCallees(ArrayRef<ArrayRef<const Function *>> sets) {
    for (ArrayRef<const Function *> callees : sets)
      if (seen_.insert(callees.data()).second)
        for (const Function *callee : callees)
          addFunction(*callee);
  }

  const Program &program_;
  const BlockCalls &calls_;
  Bodies &bodies_;
  Scope &scope_;
  SmallVector<const BasicBlock *, 32> work_;
  SmallVector<const Function *, 32> functions_;
  DenseSet<const void *> seen_; ///< sets of callees
};

/// All that can run at all.
void addFromStart(const Program &program, Reach reach) {
  for (const Function &function : program.module())
    if (!function.isDeclaration() && program.calledFromOutside(function))
      reach.addFunction(function);
  reach.close();
}

/// All that can run behind the point of the phase.
void addFromPoint(const Program &program, const Phase &phase, Reach reach) {
  for (const BasicBlock *start : phase.starts)
    reach.addBlock(*start);
  for (const CallBase *call : reverse(phase.chain)) {
    reach.addCallOnly(*call->getParent());
    for (const BasicBlock *next : successors(call->getParent()))
      reach.addBlock(*next);
  }
  for (const Function &function : program.module())
    if (!function.isDeclaration() && program.calledFromOutside(function) &&
        function.getName() != "main")
      reach.addFunction(function);
  reach.close();
}

/// A loop before which a phase may begin, and the calls that lead there.
struct Candidate {
  BasicBlock *before, *header;
  bool mpi;
  SmallVector<CallBase *, 4> chain;
};

class Search {
public:
  Search(const Program &program, FunctionAnalysisManager &analyses)
      : program_(program), calls_(program), bodies_(program, calls_, nullptr), analyses_(analyses) {
  }

  std::vector<Phase> run(unsigned most) {
    Phase whole;
    addFromStart(program_, Reach(program_, calls_, bodies_, whole.scope));
    phases_.push_back(std::move(whole));
    if (Function *main = program_.module().getFunction("main"); main && !main->isDeclaration())
      walk(*main);
    if (candidates_.size() >= most)
      erase_if(candidates_, [](const Candidate &candidate) { return !candidate.mpi; });
    if (candidates_.size() >= most)
      candidates_.resize(most - 1);
    for (const Candidate &candidate : candidates_)
      addPhase(candidate);
    return std::move(phases_);
  }

private:
  /// Outermost loops and calls outside loops, in an order in which they may run.
  void walk(Function &function) {
    LoopInfo &loops = analyses_.getResult<LoopAnalysis>(function);
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order) {
      const Loop *loop = loops.getLoopFor(block);
      if (!loop) {
        enterCalls(*block);
        continue;
      }
      if (loop->getParentLoop() || loop->getHeader() != block || !loop->getLoopPreheader())
        continue;
      candidates_.push_back({loop->getLoopPreheader(), block, reachesMpi(*loop), chain_});
    }
  }

  bool reachesMpi(const Loop &loop) const {
    return any_of(loop.blocks(), [&](const BasicBlock *block) {
      return any_of(*block, [&](const Instruction &instruction) {
        const auto *call = dyn_cast<CallBase>(&instruction);
        return call && program_.reachesMpi(*call);
      });
    });
  }

  /// Functions that are called here and nowhere else run once, too.
  void enterCalls(BasicBlock &block) {
    for (Instruction &instruction : block) {
      auto *call = dyn_cast<CallInst>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || program_.callers(*callee).size() != 1 ||
          !program_.reachesMpi(*callee) || program_.calledFromOutside(*callee))
        continue;
      chain_.push_back(call);
      walk(*callee);
      chain_.pop_back();
    }
  }

  void addPhase(const Candidate &candidate) {
    // On another way than an earlier point: a rank there would count as having passed that one.
    if (program_.isError(*candidate.header) || !phases_.back().scope.contains(candidate.header))
      return;
    Phase phase;
    phase.starts.push_back(candidate.header);
    phase.chain = candidate.chain;
    addFromPoint(program_, phase, Reach(program_, calls_, bodies_, phase.scope));
    addEntries(phase, *candidate.header->getParent(), nullptr);
    for (CallBase *call : candidate.chain) {
      addEntries(phase, *call->getFunction(), call->getParent());
      phase.entries.push_back(&*call->getParent()->getSingleSuccessor()->getFirstNonPHIIt());
    }
    phases_.push_back(std::move(phase));
  }

  /// Where the function comes from code outside the scope into it; \p chain: the block of the call
  /// that leads to the point, which is no entry.
  void addEntries(Phase &phase, Function &function, const BasicBlock *chain) {
    for (BasicBlock &block : function)
      if (&block != chain && phase.scope.contains(&block) && !block.isEHPad() &&
          any_of(predecessors(&block),
                 [&](const BasicBlock *before) { return !phase.scope.contains(before); })) {
        addEntry(phase, block);
        phase.starts.push_back(&block);
      }
  }

  /// Before a loop's header rather than in it.
  void addEntry(Phase &phase, BasicBlock &block) {
    const LoopInfo &loops = analyses_.getResult<LoopAnalysis>(*block.getParent());
    const Loop *loop = loops.getLoopFor(&block);
    if (loop && loop->getHeader() == &block && loop->getLoopPreheader())
      phase.entries.push_back(loop->getLoopPreheader()->getTerminator());
    else
      phase.entries.push_back(&*block.getFirstNonPHIIt());
  }

  const Program &program_;
  const BlockCalls calls_;
  Bodies bodies_;
  FunctionAnalysisManager &analyses_;
  SmallVector<CallBase *, 4> chain_;
  std::vector<Candidate> candidates_;
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

Scope scopeWhere(const Program &program, const Phase &phase, std::shared_ptr<const Known> known) {
  Scope scope;
  scope.setKnown(known);
  const BlockCalls calls(program);
  Bodies bodies(program, calls, known.get());
  const Reach reach(program, calls, bodies, scope);
  if (!phase.starts.empty())
    addFromPoint(program, phase, reach);
  else
    addFromStart(program, reach);
  return scope;
}

} // namespace gnomon
