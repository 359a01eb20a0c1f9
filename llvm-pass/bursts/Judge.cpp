// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Judge.h"

#include "bursts/Conditions.h"
#include "bursts/Wishes.h"

#include "llvm/ADT/STLExtras.h"
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
                                    plain, analyses);
  SmallVector<unsigned, 24> numbers; // of the phases among all
  for (auto [number, phase] : enumerate(judged.phases))
    if (phase.checks.empty())
      numbers.push_back(unsigned(number));
  for (Decision &decision : plan.decisions)
    decision.phase = numbers[decision.phase];
  return plan;
}

/// Nothing when readings of clocks count as inside bursts, and a burst always runs that reads one
/// and holds loops: what its readings are written to may be the reason, and the loops between them
/// could be skipped.
std::optional<Judgement> judgeWith(ClockReadings clocks, Module &module,
                                   FunctionAnalysisManager &analyses, const Evidence &evidence) {
  Judgement now;
  now.program = std::make_unique<Program>(module, evidence.pointsTo, evidence.externals,
                                          evidence.stayed, clocks);
  isolateCalls(*now.program, analyses);
  now.regions = std::make_unique<Regions>(*now.program, analyses);
  now.regions->cut(evidence.statements);
  now.memory = std::make_unique<MemoryUse>(
      *now.program, evidence.externals,
      [&regions = *now.regions](const BasicBlock &block) { return regions.of(block); });
  now.roots = std::make_unique<Roots>(*now.memory, *now.regions, analyses,
                                      evidence.overrides.files(), evidence.overrides.console());
  now.phases = findPhases(*now.program, analyses);
  auto suffersFromClock = [&](const Region &region) {
    return clocks == ClockReadings::InsideBursts && readsClock(*now.program, region) &&
           holdsLoops(*now.program, region, analyses.getResult<LoopAnalysis>(*region.function));
  };
  auto wishes = [&](const Region &region) { return wishOf(wordsFor(evidence.overrides, region)); };
  std::optional<std::vector<Decision>> decisions =
      decide(*now.memory, *now.roots, *now.regions, now.phases, wishes, suffersFromClock);
  if (!decisions)
    return std::nullopt;
  now.decisions = std::move(*decisions);
  const std::vector<Phase> phases = now.phases;
  const std::vector<Decision> plain = now.decisions;
  addConditions(*now.memory, *now.roots, *now.regions, wishes, analyses, now.phases, now.decisions);
  now.decided = planWithoutConditions(now, phases, plain, wishes, analyses);
  nameConditions(now.phases, now.decisions);
  return now;
}

} // namespace

Judgement judge(Module &module, FunctionAnalysisManager &analyses, const Evidence &evidence) {
  if (auto judged = judgeWith(ClockReadings::InsideBursts, module, analyses, evidence))
    return std::move(*judged);
  analyses.clear(); // blocks have been split
  return std::move(*judgeWith(ClockReadings::BetweenBursts, module, analyses, evidence));
}

} // namespace gnomon
