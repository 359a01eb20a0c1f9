// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Judge.h"

#include "bursts/Conditions.h"
#include "bursts/Wishes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

bool holdsLoops(const Program &program, const Region &region, const LoopInfo &loops) {
  return any_of(region.blocks, [&](const BasicBlock *block) {
    if (loops.isLoopHeader(block) && block != region.header)
      return true;
    return any_of(*block, [&](const Instruction &instruction) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      return call && program.entersLoops(*call);
    });
  });
}

/// With points, phases with a condition are left out: what may be skipped where one holds is not known to be, and points
/// are chosen for what is not. The plan's phases become those of the same scope among all.
DecidedPlan planWithoutConditions(const Judgement &judged, ArrayRef<Phase> phases,
                                  ArrayRef<Decision> plain, const Wishes &wishes,
                                  FunctionAnalysisManager &analyses) {
  DecidedPlan plan = planWithPoints(*judged.memory, *judged.roots, *judged.regions, phases, wishes,
                                    plain, judged.sites, analyses);
  SmallVector<unsigned, 24> numbers; // of the phases among all
  for (auto [number, phase] : enumerate(judged.phases))
    if (phase.checks.empty())
      numbers.push_back(unsigned(number));
  for (Decision &decision : plan.decisions)
    decision.phase = numbers[decision.phase];
  return plan;
}

size_t countSkippable(const DecidedPlan &plan) {
  return plan.points.empty() ? 0 : size_t(count_if(plan.decisions, [](const Decision &decision) {
    return decision.reachable && decision.skippable;
  }));
}

/// Where a sign that the program may read back what it writes holds most of what decisions would free, these are planned as
/// if it did not: few runs come to such code, and the runtime sees those that do. Not in the largest programs, for the
/// time that it takes.
void assumeUnread(Judgement &judged, function_ref<DecidedPlan()> plan) {
  constexpr size_t MostInstructions = 200'000;
  if (!judged.roots->neededOutput() || judged.roots->files().wish() != FilesWish::Check ||
      judged.program->instructionCount() > MostInstructions)
    return;
  const auto assuming = judged.roots->assumeUnread(true);
  DecidedPlan other = plan();
  if (countSkippable(other) > 2 * countSkippable(judged.decided)) {
    judged.decided = std::move(other);
    judged.assumesUnread = true;
  }
}

/// Nobody asks for them any more. Frees the memory, too.
void forgetWays(std::vector<Decision> &decisions) {
  for (Decision &decision : decisions)
    decltype(decision.way)().swap(decision.way);
}

/// \p known: what a judgement before this one has found of the program's memory; null: there was none. It is handed
/// back when there is no judgement.
///
/// Nothing when all readings of clocks count as inside bursts, and a burst always runs that reads one
/// and holds loops: what its readings are written to may be the reason, and the loops between them
/// could be skipped.
std::optional<Judgement> judgeWith(const ClockReadings &clocks, Module &module,
                                   FunctionAnalysisManager &analyses, const Evidence &evidence,
                                   std::unique_ptr<MemoryUse> &known) {
  Judgement now;
  now.program = std::make_unique<Program>(module, evidence.pointsTo, evidence.externals,
                                          evidence.stayed, clocks);
  isolateCalls(*now.program, analyses);
  now.regions = std::make_unique<Regions>(*now.program, analyses);
  now.regions->cut(evidence.statements);
  const auto pieceOf = [&regions = *now.regions](const BasicBlock &block) {
    return regions.of(block);
  };
  if (known)
    known->renew(*now.program, pieceOf);
  else
    known = std::make_unique<MemoryUse>(*now.program, evidence.externals, pieceOf);
  now.memory = std::move(known);
  now.roots = std::make_unique<Roots>(*now.memory, *now.regions, analyses,
                                      evidence.overrides.files(), evidence.overrides.console());
  now.phases = findPhases(*now.program, analyses);
  auto suffersFromClock = [&](const Region &region) {
    return !clocks.betweenBursts && readsClock(*now.program, region) &&
           holdsLoops(*now.program, region, analyses.getResult<LoopAnalysis>(*region.function));
  };
  auto wishes = [&](const Region &region) { return wishOf(wordsFor(evidence.overrides, region)); };
  std::optional<std::vector<Decision>> decisions =
      decide(*now.memory, *now.roots, *now.regions, now.phases, wishes, suffersFromClock);
  if (!decisions) {
    known = std::move(now.memory);
    return std::nullopt;
  }
  now.decisions = std::move(*decisions);
  now.sites = findFoldSites(module, *now.memory);
  const std::vector<Phase> phases = now.phases;
  std::vector<Decision> plain = now.decisions;
  addConditions(*now.memory, *now.roots, *now.regions, wishes, analyses, now.phases, now.decisions);
  forgetWays(plain);
  forgetWays(now.decisions);
  const auto plan = [&] { return planWithoutConditions(now, phases, plain, wishes, analyses); };
  now.decided = plan();
  assumeUnread(now, plan);
  nameConditions(now.phases, now.decisions);
  return now;
}

/// Loops in pieces, because they read clocks between them, which would be better whole: none of the
/// pieces may be skipped as the program is, all with points. Then no hook is paid for each piece of
/// each round, and the loop's own code goes with them. Where a condition frees pieces, the loop is
/// whole all the same: few inputs may ever meet it, while decisions are given to any.
class TimedLoops {
public:
  TimedLoops(const Judgement &judged, FunctionAnalysisManager &analyses)
      : judged_(judged), program_(*judged.program), analyses_(analyses) {}

  /// The calls by which these loops read clocks.
  DenseSet<const CallBase *> timers() {
    SetVector<Function *> functions;
    if (!judged_.decided.points.empty())
      for (const Region &region : judged_.regions->all())
        functions.insert(region.function);
    for (Function *function : functions)
      for (const Loop *loop : analyses_.getResult<LoopAnalysis>(*function))
        visit(*loop);
    return std::move(timers_);
  }

private:
  void visit(const Loop &loop) {
    SmallVector<const CallBase *, 8> timers;
    bool communicates = false;
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block)
        if (const auto *call = dyn_cast<CallBase>(&instruction);
            call && program_.reachesMpi(*call)) {
          timers.push_back(call);
          communicates |= !program_.isTimer(*call);
        }
    if (communicates) {
      for (const Loop *inner : loop)
        visit(*inner);
    } else if (!timers.empty() && isFreeWithPoints(loop)) {
      timers_.insert_range(timers);
    }
  }

  /// The pieces: bursts in the loop, and in functions that it calls.
  bool isFreeWithPoints(const Loop &loop) const {
    SmallSetVector<const Function *, 8> called;
    auto addCalled = [&](const BasicBlock &block) {
      for (const Instruction &instruction : block)
        if (const auto *call = dyn_cast<CallBase>(&instruction))
          called.insert_range(program_.callees(*call));
    };
    for (const BasicBlock *block : loop.blocks())
      addCalled(*block);
    for (size_t i = 0; i < called.size(); ++i)
      for (const BasicBlock &block : *called[i])
        addCalled(block);
    size_t pieces = 0;
    for (auto [number, region] : enumerate(judged_.regions->all())) {
      if (!loop.contains(region.entry) && !called.contains(region.function))
        continue;
      ++pieces;
      const Decision &plain = judged_.decisions[number];
      const bool isFree = plain.skippable && plain.condition.empty();
      if (isFree || !judged_.decided.decisions[number].skippable)
        return false;
    }
    return pieces > 0;
  }

  const Judgement &judged_;
  const Program &program_;
  FunctionAnalysisManager &analyses_;
  DenseSet<const CallBase *> timers_;
};

/// Whether the call lies in a burst that may be skipped where points are given.
bool maySkipWithPoints(const Judgement &judged, const CallBase &call) {
  const int region = judged.regions->of(call);
  return region >= 0 && !judged.decided.points.empty() &&
         judged.decided.decisions[region].skippable;
}

} // namespace

Judgement judge(Module &module, FunctionAnalysisManager &analyses, const Evidence &evidence) {
  std::unique_ptr<MemoryUse> known;
  if (auto judged = judgeWith({}, module, analyses, evidence, known))
    return std::move(*judged);
  ClockReadings between{.betweenBursts = true};
  analyses.clear(); // blocks have been split
  std::optional<Judgement> judged = judgeWith(between, module, analyses, evidence, known);
  between.inside = TimedLoops(*judged, analyses).timers();
  if (between.inside.empty())
    return std::move(*judged);
  // Once more: what was in pieces is whole. Should it not be free then, it stays in pieces.
  auto again = [&](const ClockReadings &clocks) {
    known = std::move(judged->memory);
    judged.reset();
    analyses.clear();
    judged = judgeWith(clocks, module, analyses, evidence, known);
  };
  again(between);
  if (all_of(between.inside,
             [&](const CallBase *timer) { return maySkipWithPoints(*judged, *timer); }))
    return std::move(*judged);
  again({.betweenBursts = true});
  return std::move(*judged);
}

} // namespace gnomon
