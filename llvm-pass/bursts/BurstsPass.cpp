// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/BurstsPass.h"

#include "bursts/BurstRemarks.h"
#include "bursts/Decide.h"
#include "bursts/Staleness.h"
#include "bursts/Transform.h"
#include "facts/ExternalWork.h"
#include "facts/Externals.h"
#include "names/Names.h"
#include "overrides/Overrides.h"
#include "slice/MemoryUse.h"
#include "slice/Phases.h"
#include "slice/Program.h"
#include "work/Work.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <chrono>
#include <memory>

using namespace llvm;

namespace gnomon {
namespace {

double wallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool callsMpi(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && !function.use_empty() && mpiFunction(function);
  });
}

bool isLibraryCall(const CallBase &call) {
  return call.getCalledFunction() && call.getCalledFunction()->isDeclaration();
}

/// The works of all regions, while the functions are still as the source has them.
std::vector<Value *> findWorks(const Regions &regions, const std::vector<Decision> &decisions,
                               Module &module, FunctionAnalysisManager &analyses) {
  std::vector<Value *> works(regions.all().size(), nullptr);
  FunctionWork callees(analyses);
  callees.summarise(module);
  for (auto [index, region] : enumerate(regions.all())) {
    if (!decisions[index].reachable)
      continue;
    Function &function = *region.function;
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    WorkBuilder builder(function, loops, analyses.getResult<ScalarEvolutionAnalysis>(function),
                        analyses.getResult<DominatorTreeAnalysis>(function), &callees);
    BasicBlock *before = entranceOf(region);
    Instruction *position = before->getTerminator();
    if (region.kind == Region::Call)
      works[index] = isLibraryCall(*region.call) ? externalWork(*region.call, *position)
                                                 : builder.ofCall(*region.call, position);
    else if (Loop *loop = loops.getLoopFor(region.header))
      works[index] = region.kind == Region::Nest ? builder.ofNest(*loop, position)
                                                 : builder.ofIteration(*loop, position);
  }
  return works;
}

/// Edges from a stale condition to an error's end, outside what is skipped; and those that leave a
/// loop in which the user wants to stay.
void addErrorSites(const Program &program, const DenseSet<const Value *> &stale, Regions &regions,
                   Transform &transform) {
  SmallVector<std::pair<BranchInst *, unsigned>, 8> sites;
  for (Function &function : program.module())
    for (BasicBlock &block : function) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() || program.isError(block))
        continue;
      for (unsigned i : {0U, 1U}) {
        const BasicBlock &end = *branch->getSuccessor(i);
        if (program.isError(end) && !program.isError(*branch->getSuccessor(1 - i)) &&
            (program.isStayed(end) || stale.contains(branch->getCondition())))
          sites.emplace_back(branch, i);
      }
    }
  for (auto [branch, index] : sites)
    if (BasicBlock *block = transform.addErrorSite(*branch, index))
      if (int region = regions.of(*branch); region >= 0)
        regions.adopt(*block, region);
}

/// What the user says of a region: of the function around it, of the function called, of the
/// statement, of its line.
BurstOverride wordsFor(const Overrides &overrides, const Region &region) {
  BurstOverride words;
  auto add = [&](const BurstOverride *said) {
    if (said)
      words.merge(*said);
  };
  add(overrides.of(*region.function));
  if (region.call && region.call->getCalledFunction())
    add(overrides.of(*region.call->getCalledFunction()));
  if (region.mark)
    add(&region.mark->words);
  if (region.place)
    add(overrides.of(*region.function, region.place.getLine()));
  // A cost that is given is meant to be charged.
  bool costs = words.flops || (region.mark && region.mark->flops);
  if (costs && words.decision == BurstOverride::Decision::Auto)
    words.decision = BurstOverride::Decision::Skip;
  return words;
}

BurstFacts factsFor(const BurstOverride &words, const Region &region, Value *work) {
  BurstFacts facts;
  facts.name = words.name;
  facts.samples = words.samples.value_or(0);
  facts.work = work;
  facts.flops = words.flops.value_or(-1);
  if (!words.flops && region.mark)
    facts.computedFlops = region.mark->flops;
  return facts;
}

/// +1: skip it, -1: run it, 0: nothing said.
int wishOf(const BurstOverride &words) {
  switch (words.decision) {
  case BurstOverride::Decision::Skip:
    return 1;
  case BurstOverride::Decision::Run:
    return -1;
  case BurstOverride::Decision::Auto:
    return 0;
  }
  return 0;
}

/// The bursts of a program and what was decided of them.
struct Judgement {
  Program program;
  Regions regions;
  MemoryUse memory;
  Roots roots;
  std::vector<Phase> phases;
  std::vector<Decision> decisions;

  Judgement(Module &module, FunctionAnalysisManager &analyses, const PointsTo &pointsTo,
            const Externals &externals, const Overrides &overrides,
            ArrayRef<MarkedRegion> statements, ArrayRef<BasicBlock *> stayed, bool clocksSeparate)
      : program(module, pointsTo, externals, stayed, clocksSeparate),
        regions(isolated(program, analyses), analyses, statements), memory(program, externals),
        roots(memory, regions, analyses), phases(findPhases(program, analyses)),
        decisions(decide(memory, roots, regions, phases, [&](const Region &region) {
          return wishOf(wordsFor(overrides, region));
        })) {}

  /// Whether a burst runs always that reads a clock and holds loops: what its readings are written
  /// to may be the reason, and the loops between them could be skipped.
  bool suffersFromClocks(FunctionAnalysisManager &analyses) const {
    for (auto [region, decision] : zip(regions.all(), decisions))
      if (decision.reachable && !decision.skippable && readsClock(program, region) &&
          holdsLoops(region, analyses.getResult<LoopAnalysis>(*region.function)))
        return true;
    return false;
  }

private:
  static const Program &isolated(const Program &program, FunctionAnalysisManager &analyses) {
    isolateCalls(program, analyses);
    return program;
  }

  bool holdsLoops(const Region &region, const LoopInfo &loops) const {
    return any_of(region.blocks, [&](const BasicBlock *block) {
      if (loops.isLoopHeader(block) && block != region.header)
        return true;
      return any_of(*block, [&](const Instruction &instruction) {
        const auto *call = dyn_cast<CallBase>(&instruction);
        return call && any_of(program.callees(*call),
                              [&](const Function *callee) { return program.hasLoops(*callee); });
      });
    });
  }
};

} // namespace

PreservedAnalyses BurstsPass::run(Module &module, ModuleAnalysisManager &modules) {
  if (module.getNamedGlobal(names::BurstsOn))
    return PreservedAnalyses::all(); // done already
  Overrides overrides(module);
  if (!callsMpi(module))
    return overrides.changedModule() ? PreservedAnalyses::none() : PreservedAnalyses::all();
  double began = wallSeconds();
  FunctionAnalysisManager &analyses =
      modules.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  std::vector<MarkedRegion> statements(overrides.regions());
  closeStatements(statements);
  analyses.clear(); // blocks have been split
  canonicaliseLoops(module, analyses);
  SmallVector<BasicBlock *, 2> stayed = cutStayedExits(overrides, analyses);
  Externals externals(module);
  PointsTo pointsTo(module, externals);
  if (!pointsTo.complete()) {
    reportTooLarge(module);
    return PreservedAnalyses::none();
  }
  reportPooled(module, pointsTo.pooledObjects(), pointsTo.objectCount());
  auto judge = [&](bool clocksSeparate) {
    return std::make_unique<Judgement>(module, analyses, pointsTo, externals, overrides, statements,
                                       stayed, clocksSeparate);
  };
  std::unique_ptr<Judgement> judged = judge(false);
  if (judged->suffersFromClocks(analyses)) {
    judged.reset();
    analyses.clear(); // blocks have been split
    judged = judge(true);
  }
  auto &[program, regions, memory, roots, phases, decisions] = *judged;
  DenseSet<const Value *> stale = findFrail(memory, roots, regions, phases, decisions);
  for (auto [index, decision] : enumerate(decisions))
    if (decision.reachable && !decision.skippable)
      regions.widen(index);
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.reachable)
      reportBurst(region, decision);
  reportLoopEnds(decisions, roots);
  reportAnalysis(module, regions.all().size(), pointsTo.cellCount(), phases.size(),
                 wallSeconds() - began);

  std::vector<Value *> works = findWorks(regions, decisions, module, analyses);
  Transform transform(program, module);
  transform.makeRecords(regions.all().size());
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.reachable)
      transform.addCopy(region, decision);
  addErrorSites(program, stale, regions, transform);
  for (auto [index, region] : enumerate(regions.all()))
    if (decisions[index].reachable) {
      BurstFacts facts = factsFor(wordsFor(overrides, region), region, works[index]);
      transform.addHooks(index, region, decisions[index], facts);
    }
  for (auto [number, phase] : enumerate(phases))
    for (Instruction *entry : phase.entries)
      transform.addPhase(*entry, number);
  transform.finish();
  return PreservedAnalyses::none();
}

} // namespace gnomon
