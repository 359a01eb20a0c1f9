// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Count.h"

#include "count/BurstEnds.h"
#include "count/Counters.h"
#include "count/Effects.h"
#include "count/Loops.h"
#include "count/Moves.h"
#include "count/Plan.h"
#include "count/Quiet.h"
#include "count/Registers.h"
#include "names/Names.h"
#include "work/Lengths.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <cstdlib>

using namespace llvm;

namespace gnomon {

using count::Edge;
using count::Plan;

namespace {

/// A function without loops whose paths differ by no more than this is counted as their mean: a
/// counter in it would cost more than it is worth, and keep loops that it is inlined into from
/// being vectorised.
constexpr int64_t SpreadThatIsNothing = 16;

bool isCounted(const Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::Naked) && !function.isPresplitCoroutine() &&
         !function.getName().starts_with(names::OursPrefix);
}

/// Whether all calls of the function are seen, so that they can count its base.
bool isCalledHereOnly(const Function &function) {
  return function.hasLocalLinkage() && !function.hasAddressTaken();
}

/// Where loops keep what they count.
enum class Keep { InRegisters, InMemory };

class Counting {
public:
  Counting(Module &module, FunctionAnalysisManager &analyses, Keep keep)
      : module_(module), analyses_(analyses), quiet_(module), keep_(keep) {}

  /// First: the variable that counts.
  void addCounter();
  /// Raises it on as few edges of the control flow as will do.
  void countOnEdges();
  /// Raises it at the head of each block instead: slow, and what the other is tested against.
  void countInBlocks();

private:
  struct Counted {
    std::unique_ptr<count::Loops> loops;
    std::unique_ptr<Plan> plan; ///< null when the function is counted by its callers alone
  };

  void plan(Function &function, const SmallPtrSetImpl<const Function *> &component);
  std::optional<int64_t> meanOfPaths(Function &function);
  int64_t lengthOf(const BasicBlock &block, const Instruction *end = nullptr) const;
  void tellBurstEnds(Function &function, const Plan &plan) const;
  void place(Function &function);
  void remarkIrreducible(Function &function) const;

  Module &module_;
  FunctionAnalysisManager &analyses_;
  count::Quiet quiet_;
  Keep keep_;
  GlobalVariable *counter_ = nullptr;
  DenseMap<const Function *, Counted> functions_; ///< looked up only
  DenseMap<const Function *, int64_t> bases_;     ///< of those that callers count; looked up only
  SmallVector<Function *, 16> order_, writers_;
};

void Counting::addCounter() {
  Type *word = Type::getInt64Ty(module_.getContext());
  counter_ = new GlobalVariable(module_, word, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                ConstantInt::get(word, 0), names::Instructions);
  // What a rank's counter starts from is the runtime's to say. It also keeps the optimiser from
  // joining what all raises may leave there into a range: each would widen it, and each time all
  // that read the counter would be looked at again.
  counter_->setExternallyInitialized(true);
}

/// Of the block, or of what stands before \p end in it.
int64_t Counting::lengthOf(const BasicBlock &block, const Instruction *end) const {
  int64_t length = 0;
  for (const Instruction &instruction : block) {
    if (&instruction == end)
      break;
    length += work::lengthOf(instruction);
    if (auto *call = dyn_cast<CallBase>(&instruction))
      length += bases_.lookup(call->getCalledFunction()) + count::constantMove(*call);
  }
  return length;
}

void Counting::tellBurstEnds(Function &function, const Plan &plan) const {
  count::tellEnds(function, [&](const CallBase &call) {
    auto *block = const_cast<BasicBlock *>(call.getParent());
    return -plan.potential(block) - lengthOf(*block, &call);
  });
}

/// The mean of the shortest and the longest path, where there are no loops and it says enough.
std::optional<int64_t> Counting::meanOfPaths(Function &function) {
  // A skipped instance must not be counted in part.
  if (!analyses_.getResult<LoopAnalysis>(function).empty() || count::hasBursts(function))
    return std::nullopt;
  DenseMap<const BasicBlock *, std::pair<int64_t, int64_t>> paths; // to the end; looked up only
  for (BasicBlock *block : post_order(&function)) {
    std::optional<std::pair<int64_t, int64_t>> rest;
    if (isa<ReturnInst>(block->getTerminator()))
      rest = {0, 0};
    for (BasicBlock *next : successors(block)) {
      auto place = paths.find(next);
      if (place == paths.end())
        continue; // ends in an error
      auto [least, most] = place->second;
      rest = rest ? std::pair(std::min(rest->first, least), std::max(rest->second, most))
                  : std::pair(least, most);
    }
    if (!rest)
      continue;
    int64_t length = lengthOf(*block);
    paths[block] = {rest->first + length, rest->second + length};
  }
  auto all = paths.find(&function.getEntryBlock());
  if (all == paths.end() || all->second.second - all->second.first > SpreadThatIsNothing)
    return std::nullopt;
  return (all->second.first + all->second.second + 1) / 2;
}

void Counting::plan(Function &function, const SmallPtrSetImpl<const Function *> &component) {
  order_.push_back(&function);
  remarkIrreducible(function);
  auto callsComponent = [&](const BasicBlock &block) {
    return any_of(block, [&](const Instruction &instruction) {
      auto *call = dyn_cast<CallBase>(&instruction);
      return call && component.contains(call->getCalledFunction()) &&
             !bases_.contains(call->getCalledFunction());
    });
  };
  auto &loops = analyses_.getResult<LoopAnalysis>(function);
  auto &dominators = analyses_.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = analyses_.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : loops)
    simplifyLoop(loop, &dominators, &loops, &evolution, nullptr, nullptr, /*PreserveLCSSA=*/false);
  bool charged = isCalledHereOnly(function);
  bool recursive = any_of(function, callsComponent);
  Counted &of = functions_[&function];
  of.loops = std::make_unique<count::Loops>(loops, evolution, quiet_);
  if (charged && !recursive)
    if (std::optional<int64_t> mean = meanOfPaths(function)) {
      bases_[&function] = *mean;
      return;
    }
  BranchProbabilityInfo probabilities(function, loops);
  BlockFrequencyInfo frequencies(function, probabilities, loops);
  auto isFree = [&](const Edge &edge) {
    Loop *loop = loops.getLoopFor(edge.from);
    return loop && of.loops->isQuiet(loop) && count::isBackEdge(edge, *loop) &&
           of.loops->induction(loop);
  };
  of.plan = std::make_unique<Plan>(function, frequencies, probabilities, isFree, callsComponent);
  if (!charged || of.plan->way().empty() ||
      any_of(of.plan->way(), [&](auto step) { return callsComponent(*step.first); }))
    return;
  int64_t base = 0;
  for (auto [block, sign] : of.plan->way())
    base += sign * lengthOf(*block);
  bases_[&function] = base;
}

void Counting::place(Function &function) {
  Counted &of = functions_[&function];
  auto length = [&](const BasicBlock &block) { return lengthOf(block); };
  int64_t base = of.plan ? of.plan->raises(length) : 0;
  if (of.plan)
    tellBurstEnds(function, *of.plan);
  count::Registers registers;
  count::KnownCounts counts(analyses_.getResult<ScalarEvolutionAnalysis>(function));
  if (of.plan)
    registers = keep_ == Keep::InMemory
                    ? count::Registers(*of.plan)
                    : count::Registers(function, *of.loops, quiet_, *of.plan, length, counts);
  // From here on the function holds code of ours.
  counts.compute();
  count::Counters counters(function, *of.loops, registers, counts, *counter_);
  counters.place(bases_.contains(&function) ? 0 : base);
  if (counters.wrote())
    writers_.push_back(&function);
}

void Counting::remarkIrreducible(Function &function) const {
  const auto &loops = analyses_.getResult<LoopAnalysis>(function);
  ReversePostOrderTraversal<const Function *> order(&function);
  if (!containsIrreducibleCFG<const BasicBlock *>(order, loops))
    return;
  OptimizationRemarkMissed remark("gnomon", "CountsInMemory",
                                  DiagnosticLocation(function.getSubprogram()),
                                  &function.getEntryBlock());
  remark << "'" << demangle(function.getName())
         << "' has a cycle with several entries: no register is kept for its instructions";
  module_.getContext().diagnose(remark);
}

void Counting::countInBlocks() {
  for (Function &function : module_) {
    if (!isCounted(function))
      continue;
    auto &loops = analyses_.getResult<LoopAnalysis>(function);
    count::Loops plain(loops, analyses_.getResult<ScalarEvolutionAnalysis>(function), quiet_);
    const count::Registers none;
    const count::KnownCounts nothing(analyses_.getResult<ScalarEvolutionAnalysis>(function));
    SmallVector<std::pair<BasicBlock *, int64_t>, 16> lengths;
    for (BasicBlock &block : function)
      lengths.push_back({&block, lengthOf(block)});
    count::tellEnds(function, [&](const CallBase &call) {
      return lengthOf(*call.getParent()) - lengthOf(*call.getParent(), &call);
    });
    count::Counters(function, plain, none, nothing, *counter_).placeInBlocks(lengths);
    writers_.push_back(&function);
  }
  count::confess(writers_);
}

void Counting::countOnEdges() {
  // Callees first: their bases are part of their callers' blocks.
  CallGraph graph(module_);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    SmallPtrSet<const Function *, 4> functions;
    for (CallGraphNode *node : *component)
      if (node->getFunction())
        functions.insert(node->getFunction());
    for (CallGraphNode *node : *component)
      if (Function *function = node->getFunction(); function && isCounted(*function))
        plan(*function, functions);
  }
  for (Function *function : order_)
    place(*function);
  count::confess(writers_);
}

/// Somebody else who reads the counter: otherwise the optimiser could take it for a variable of
/// main.
void addReader(Module &module) {
  GlobalVariable *counter = module.getNamedGlobal(names::Instructions);
  // A test may have declared it.
  auto *reader = cast<Function>(
      module.getOrInsertFunction(names::InstructionsReader, counter->getValueType()).getCallee());
  reader->setVisibility(GlobalValue::HiddenVisibility);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", reader));
  builder.CreateRet(builder.CreateLoad(counter->getValueType(), counter));
}

} // namespace

PreservedAnalyses CountPass::run(Module &module, ModuleAnalysisManager &analyses) {
  // How to count, which only tests say; not at all where the user switched it off, or once more.
  const char *environment = std::getenv("GNOMON_COUNT");
  StringRef wish = environment ? environment : "";
  const Keep keep = wish == "memory" ? Keep::InMemory : Keep::InRegisters;
  if (wish == "0" || module.getNamedGlobal(names::Instructions))
    return PreservedAnalyses::all();

  // One counter for the module, and the code that raises it.
  FunctionAnalysisManager &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  Counting counting(module, functions, keep);
  counting.addCounter();
  if (wish == "blocks")
    counting.countInBlocks();
  else
    counting.countOnEdges();

  // Until the link's last pass, somebody else seems to read it (EntryPass takes that away).
  addReader(module);
  return PreservedAnalyses::none();
}

} // namespace gnomon
