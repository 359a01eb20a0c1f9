// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Points.h"

#include "slice/Cut.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Whether a function is handed it: a floating-point number may become text there, whose length
/// decides.
bool isHandedOn(const Instruction &instruction) {
  return any_of(instruction.users(),
                [](const User *user) { return isa<CallBase>(user) && !isa<IntrinsicInst>(user); });
}

/// Integers and truth values; floating-point numbers that are handed on.
bool isNumber(const Instruction &instruction) {
  const Type *type = instruction.getType();
  if (type->isDoubleTy() || type->isFloatTy())
    return isHandedOn(instruction);
  return type->isIntegerTy() && type->getIntegerBitWidth() <= 64;
}

/// Whether its value can be recorded and given back: it stands alone in one place of code.
bool canBeGiven(const Instruction &instruction) {
  if (!isNumber(instruction) || instruction.isTerminator() || instruction.isEHPad())
    return false;
  if (const auto *call = dyn_cast<CallInst>(&instruction); call && call->isMustTailCall())
    return false;
  return !isa<PHINode>(instruction) ||
         instruction.getParent()->getFirstInsertionPt() != instruction.getParent()->end();
}

/// Code between bursts: each rank passes it as often, whatever is skipped.
class Between {
public:
  Between(const Program &program, const Regions &regions)
      : program_(program), regions_(regions), inner_(functionsCalled(program, regions)) {}
  bool contains(const Instruction &instruction) const {
    return !inner_.contains(instruction.getFunction()) && regions_.of(instruction) < 0 &&
           !program_.isError(*instruction.getParent());
  }

private:
  const Program &program_;
  const Regions &regions_;
  DenseSet<const Function *> inner_;
};

void addArguments(const CallBase &call, Points &points) {
  const MpiFunction *mpi = mpiFunction(call);
  if (!mpi)
    return;
  for (unsigned i = 0; i < std::min<size_t>(call.arg_size(), mpi->arguments.size()); ++i)
    if (const MpiArgument &argument = mpi->arguments[i];
        argument.role == MpiRole::Control && argument.byReference && argument.bytes)
      points.arguments.insert(&call.getArgOperandUse(i));
}

Points allPoints(const Program &program, const Regions &regions) {
  Points points;
  const Between between(program, regions);
  for (const Function &function : program.module())
    for (const Instruction &instruction : instructions(function)) {
      if (!between.contains(instruction))
        continue;
      if (canBeGiven(instruction))
        points.values.insert(&instruction);
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        addArguments(*call, points);
    }
  return points;
}

/// How deep in loops code stands, those around calls of its function included.
class Depths {
public:
  Depths(const Program &program, FunctionAnalysisManager &analyses)
      : program_(program), analyses_(analyses) {}

  unsigned of(const Instruction &instruction) {
    auto &function = const_cast<Function &>(*instruction.getFunction());
    const unsigned here =
        analyses_.getResult<LoopAnalysis>(function).getLoopDepth(instruction.getParent());
    return std::min(here + ofFunction(function), Most);
  }

private:
  unsigned ofFunction(const Function &function) {
    auto [place, isNew] = functions_.try_emplace(&function, 0);
    if (!isNew)
      return place->second; // 0 while it is being found: of functions that call each other
    unsigned deepest = 0;
    for (const CallBase *call : program_.callers(function))
      deepest = std::max(deepest, of(*call));
    return functions_[&function] = deepest;
  }

  static constexpr unsigned Most = 10;
  const Program &program_;
  FunctionAnalysisManager &analyses_;
  DenseMap<const Function *, unsigned> functions_;
};

/// What recording a point costs: its bytes, as often as its loops may go round.
class Costs {
public:
  Costs(const Program &program, FunctionAnalysisManager &analyses) : depths_(program, analyses) {}

  uint64_t ofValue(const Instruction &instruction) {
    constexpr uint64_t Bit = 1, Number = 4;
    return (instruction.getType()->isIntegerTy(1) ? Bit : Number)
           << RoundsBits * depths_.of(instruction);
  }
  uint64_t ofArgument(const Use &use) {
    constexpr uint64_t Number = 4;
    return Number << RoundsBits * depths_.of(*cast<Instruction>(use.getUser()));
  }

private:
  static constexpr unsigned RoundsBits = 3; ///< of the rounds of a loop of which nothing is known
  Depths depths_;
};

/// Whether more may be skipped, or earlier.
bool gains(ArrayRef<Decision> plain, ArrayRef<Decision> given) {
  return any_of(zip(plain, given), [](const auto &both) {
    const auto &[before, now] = both;
    return now.skippable && (!before.skippable || now.phase < before.phase);
  });
}

/// The phases from which on some region may be skipped, the last first. What is not needed in one of them is not in the
/// later ones either, whose scopes it holds.
SmallVector<unsigned> phasesThatOpen(ArrayRef<Decision> decisions) {
  SmallVector<unsigned> phases;
  for (const Decision &decision : decisions)
    if (decision.skippable)
      phases.push_back(decision.phase);
  llvm::sort(phases, std::greater<>());
  phases.erase(llvm::unique(phases), phases.end());
  return phases;
}

/// The nodes that bring in what is not kept of regions that may be skipped in the phase, and of which regions.
struct Unwanted {
  std::vector<int> nodes;
  std::vector<unsigned> regions; ///< beside the nodes, of which one may stand for several
};

Unwanted unwantedNodes(const Demands &demands, const Regions &regions, ArrayRef<Decision> best,
                       unsigned phase) {
  std::vector<std::pair<int, unsigned>> found;
  for (const auto &[node, instruction] : demands.relevant) {
    const int region = regions.of(*instruction);
    if (region >= 0 && best[region].skippable && best[region].phase <= phase &&
        !best[region].kept.contains(instruction))
      found.emplace_back(node, unsigned(region));
  }
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  Unwanted unwanted;
  for (const auto &[node, region] : found) {
    unwanted.nodes.push_back(node);
    unwanted.regions.push_back(region);
  }
  return unwanted;
}

/// Notes which regions each point of the cut holds.
void noteHeld(Cutter &cutter, const Unwanted &unwanted, ArrayRef<const void *> cut,
              DecidedPlan &plan) {
  for (auto [point, rests] : zip(cut, cutter.restOn(cut, unwanted.nodes))) {
    SmallVector<unsigned, 4> &held = plan.holds[point];
    for (size_t place : rests)
      held.push_back(unwanted.regions[place]);
    llvm::sort(held);
    held.erase(llvm::unique(held), held.end());
  }
}

} // namespace

DecidedPlan planWithPoints(const MemoryUse &memory, Roots &roots, const Regions &regions,
                           ArrayRef<Phase> phases, const Wishes &wishes, ArrayRef<Decision> plain,
                           FunctionAnalysisManager &analyses) {
  if (none_of(plain,
              [](const Decision &decision) { return decision.reachable && !decision.skippable; }))
    return {};
  // The best there is: all points given.
  const Points all = allPoints(memory.program(), regions);
  const DecidedBy best = decideWith(memory, roots, regions, phases, wishes, all);
  if (!gains(plain, best.decisions))
    return {.points = {}, .decisions = best.decisions};
  // As few of them as lead to the same, phase by phase: what is given in a later one is in those before it too.
  Costs costs(memory.program(), analyses);
  DecidedPlan plan;
  for (unsigned number : phasesThatOpen(best.decisions)) {
    Demands demands = demandsIn(memory, roots, regions, phases[number], number, wishes,
                                best.decisions, plan.points, all);
    const Unwanted unwanted = unwantedNodes(demands, regions, best.decisions, number);
    Cutter cutter(std::move(demands));
    auto cost = [&](const void *point) {
      const auto *use = static_cast<const Use *>(point);
      return all.arguments.contains(use) ? costs.ofArgument(*use)
                                         : costs.ofValue(*static_cast<const Instruction *>(point));
    };
    std::optional<std::vector<const void *>> cut = cutter.cheapest(unwanted.nodes, cost);
    if (!cut)
      return {};
    noteHeld(cutter, unwanted, *cut, plan);
    for (const void *point : *cut)
      if (const auto *use = static_cast<const Use *>(point); all.arguments.contains(use))
        plan.points.arguments.insert(use);
      else
        plan.points.values.insert(static_cast<const Instruction *>(point));
  }
  DecidedBy decided = decideWith(memory, roots, regions, phases, wishes, plan.points);
  // What holds the others whatever is given: a point that was left out would not lift it.
  for (auto [chosen, all] : zip(decided.decisions, best.decisions))
    if (!chosen.skippable && !all.skippable)
      chosen.reason = all.reason;
  return {std::move(decided.asked), std::move(decided.decisions), std::move(plan.holds)};
}

} // namespace gnomon
