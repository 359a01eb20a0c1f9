// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/Points.h"

#include "bursts/Between.h"
#include "bursts/Weights.h"
#include "slice/Cut.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
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

/// Numbers by reference, and arrays of counts and displacements, which MPI reads before the call returns.
void addArguments(const CallBase &call, Points &points) {
  const MpiFunction *mpi = mpiFunction(call);
  if (!mpi)
    return;
  for (unsigned i = 0; i < std::min<size_t>(call.arg_size(), mpi->arguments.size()); ++i) {
    const MpiArgument &argument = mpi->arguments[i];
    const bool isNumber =
        argument.role == MpiRole::Control && argument.byReference && argument.bytes;
    const bool areNumbers = argument.length != MpiLength::None && mpi->blocking;
    if (isNumber || areNumbers)
      points.arguments.insert(&call.getArgOperandUse(i));
  }
}

/// What may be recorded between bursts; in \p opened ones, the integers that are read, or made of other numbers.
Points allPoints(const Program &program, const Regions &regions,
                 const DenseSet<const Region *> &opened = {}) {
  Points points;
  const Between between(program, regions);
  for (const Function &function : program.module())
    for (const Instruction &instruction : instructions(function)) {
      if (!between.contains(instruction))
        continue;
      if (canBeGiven(instruction)) {
        points.values.insert(&instruction);
        if (const auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
          points.unread.insert(load);
      }
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        addArguments(*call, points);
    }
  for (const Region *region : opened)
    for (const BasicBlock *block : region->blocks)
      for (const Instruction &instruction : *block)
        if (isa<LoadInst, FPToSIInst, FPToUIInst>(instruction) && canBeGiven(instruction))
          points.values.insert(&instruction);
  return points;
}

/// Whether a region itself computes nothing but integers, of floating-point numbers at most the next one: which rows go
/// where, say.
bool isArithmeticOfIndices(const Region &region) {
  auto isFloating = [](const Value *value) { return value->getType()->isFPOrFPVectorTy(); };
  auto isLight = [&](const Instruction &instruction) {
    if (isa<FPToSIInst, FPToUIInst>(instruction) || isa<LoadInst>(instruction))
      return true;
    return !isFloating(&instruction) && none_of(instruction.operand_values(), isFloating) &&
           (!isa<CallBase>(instruction) || isa<IntrinsicInst>(instruction));
  };
  return region.header &&
         all_of(region.blocks, [&](const BasicBlock *block) { return all_of(*block, isLight); });
}

/// What recording a point costs: its bytes, as often as its loops may go round. An array counts as one number: for each
/// of its numbers MPI sends a message in any case, which takes far more than a place in a list.
class Costs {
public:
  Costs(Weights &weights, const Points &all) : weights_(weights), all_(all) {}

  uint64_t of(const void *point) {
    constexpr uint64_t Bit = 1, Number = 4;
    const auto *use = static_cast<const Use *>(point);
    const bool isArgument = all_.arguments.contains(use);
    const auto &instruction =
        isArgument ? *cast<Instruction>(use->getUser()) : *static_cast<const Instruction *>(point);
    const bool isBit = !isArgument && instruction.getType()->isIntegerTy(1);
    return (isBit ? Bit : Number) << weights_.roundsBitsOf(instruction);
  }

private:
  Weights &weights_;
  const Points &all_;
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

  void erase(const DenseSet<unsigned> &left) {
    size_t kept = 0;
    for (size_t i = 0; i < nodes.size(); ++i)
      if (!left.contains(regions[i])) {
        nodes[kept] = nodes[i];
        regions[kept++] = regions[i];
      }
    nodes.resize(kept);
    regions.resize(kept);
  }
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

/// Points, and the regions that rest on each by no other of them.
struct PointsOfPhase {
  std::vector<const void *> points;
  std::vector<SmallVector<unsigned, 4>> holds;
};

/// The cheapest points with which a program skips what it may, but for regions that are not worth theirs: a loop that
/// reads arguments once, say, whose results are many numbers.
class Chooser {
public:
  Chooser(const Regions &regions, Weights &weights, Costs &costs)
      : regions_(regions), weights_(weights), costs_(costs) {}

  std::optional<PointsOfPhase> choose(Cutter &cutter, Unwanted unwanted) {
    for (unsigned round = 0;; ++round) {
      auto cut =
          cutter.cheapest(unwanted.nodes, [&](const void *point) { return costs_.of(point); });
      if (!cut)
        return std::nullopt;
      PointsOfPhase chosen = held(cutter, unwanted, std::move(*cut));
      const DenseSet<unsigned> left = notWorthTheirs(chosen);
      if (left.empty() || round == MostRounds)
        return chosen;
      unwanted.erase(left);
    }
  }

private:
  static PointsOfPhase held(Cutter &cutter, const Unwanted &unwanted,
                            std::vector<const void *> cut) {
    PointsOfPhase chosen{std::move(cut), {}};
    for (const std::vector<size_t> &rests : cutter.restOn(chosen.points, unwanted.nodes)) {
      SmallVector<unsigned, 4> &held = chosen.holds.emplace_back();
      for (size_t place : rests)
        held.push_back(unwanted.regions[place]);
      llvm::sort(held);
      held.erase(llvm::unique(held), held.end());
    }
    return chosen;
  }

  /// Regions share what a point costs by what each of them executes.
  DenseSet<unsigned> notWorthTheirs(const PointsOfPhase &chosen) {
    DenseMap<unsigned, double> charged; ///< for each instruction that the region executes
    for (auto [point, held] : zip(chosen.points, chosen.holds)) {
      double executed = 0;
      for (unsigned region : held)
        executed += weights_.of(regions_.all()[region]);
      for (unsigned region : held)
        charged[region] += WorthABit * static_cast<double>(costs_.of(point)) / executed;
    }
    DenseSet<unsigned> left;
    for (const auto &[region, charge] : charged)
      if (charge > 1)
        left.insert(region);
    return left;
  }

  static constexpr unsigned MostRounds = 8;
  /// Instructions that must be spared for a bit of a point to be worth its recording: its hook, its place in a file that
  /// people read, and an assumption on other numbers of ranks.
  static constexpr double WorthABit = 128;

  const Regions &regions_;
  Weights &weights_;
  Costs &costs_;
};

void add(const PointsOfPhase &chosen, const Points &all, DecidedPlan &plan) {
  for (auto [point, held] : zip(chosen.points, chosen.holds)) {
    plan.holds[point] = held;
    if (const auto *use = static_cast<const Use *>(point); all.arguments.contains(use))
      plan.points.arguments.insert(use);
    else if (const auto *value = static_cast<const Instruction *>(point);
             plan.points.values.insert(value).second && all.unread.contains(value))
      plan.points.unread.insert(value);
  }
}

/// What points are looked for among, and what is skipped with all of them.
struct Candidates {
  Points all;
  DecidedBy best;
  DenseSet<const Region *> opened{}; ///< regions that are executed, with points in them
};

/// Bursts that run whatever is given between bursts, and compute indices only, may hold the others: HPL's pivots say
/// which rows are sent where. They are executed, and what they read is given.
DenseSet<const Region *> regionsToOpen(const Regions &regions, const Wishes &wishes,
                                       ArrayRef<Decision> best, Weights &weights) {
  constexpr double Much = 0.1;
  DenseSet<const Region *> opened;
  double held = 0, whole = 0;
  for (const auto &[region, decision] : zip(regions.all(), best)) {
    if (!decision.reachable)
      continue;
    const double weight = weights.of(region);
    whole += weight;
    if (decision.skippable)
      continue;
    if (wishes(region) == Wish::Skip || !isArithmeticOfIndices(region))
      held += weight;
    else
      opened.insert(&region);
  }
  return held > Much * whole ? opened : DenseSet<const Region *>();
}

/// As the user wishes, but for regions that are executed.
class OpenedWishes {
public:
  OpenedWishes(const Wishes &wishes, const DenseSet<const Region *> &opened)
      : wishes_(wishes), opened_(opened) {}
  Wish operator()(const Region &region) const {
    return opened_.contains(&region) ? Wish::Run : wishes_(region);
  }

private:
  const Wishes &wishes_;
  const DenseSet<const Region *> &opened_;
};

DenseSet<const Region *> withPoints(const DenseSet<const Region *> &regions, const Points &points) {
  DenseSet<const Region *> found;
  for (const Region *region : regions)
    if (any_of(region->blocks, [&](const BasicBlock *block) {
          return any_of(*block, [&](const Instruction &instruction) {
            return points.values.contains(&instruction);
          });
        }))
      found.insert(region);
  return found;
}

Candidates findCandidates(const MemoryUse &memory, Roots &roots, const Regions &regions,
                          ArrayRef<Phase> phases, const Wishes &wishes, Weights &weights) {
  Candidates between{allPoints(memory.program(), regions), {}};
  between.best = decideWith(memory, roots, regions, phases, wishes, between.all);
  DenseSet<const Region *> opened = regionsToOpen(regions, wishes, between.best.decisions, weights);
  if (opened.empty())
    return between;
  Candidates inside{allPoints(memory.program(), regions, opened), {}, std::move(opened)};
  inside.best =
      decideWith(memory, roots, regions, phases, OpenedWishes(wishes, inside.opened), inside.all);
  if (!gains(between.best.decisions, inside.best.decisions))
    return between;
  for (auto [region, decision, before] :
       zip(regions.all(), inside.best.decisions, between.best.decisions))
    if (inside.opened.contains(&region))
      decision.reason = before.reason; // the user has said nothing
  return inside;
}

/// The nodes that bring in memory of fold sites, and of which sites.
struct SiteNodes {
  std::vector<int> nodes;
  std::vector<unsigned> sites; ///< beside the nodes
};

SiteNodes nodesOfSites(const Demands &demands, ArrayRef<FoldSite> sites) {
  DenseMap<Cell, unsigned> siteOf;
  for (auto [number, site] : enumerate(sites))
    for (Cell cell : site.cells)
      siteOf.try_emplace(cell, unsigned(number));
  SiteNodes found;
  for (const auto &[node, cell] : demands.memory)
    if (const auto site = siteOf.find(cell); site != siteOf.end()) {
      found.nodes.push_back(node);
      found.sites.push_back(site->second);
    }
  return found;
}

void sortEach(DenseMap<const void *, SmallVector<unsigned, 4>> &lists) {
  for (auto &entry : lists) {
    llvm::sort(entry.second);
    entry.second.erase(llvm::unique(entry.second), entry.second.end());
  }
}

/// What each point of a plan rests on (DecidedPlan::rests, restsOnSites). Each phase from which on something is skipped
/// has a graph of its own.
void addRests(const MemoryUse &memory, Roots &roots, const Regions &regions, ArrayRef<Phase> phases,
              const Wishes &wishes, ArrayRef<FoldSite> sites, DecidedPlan &plan) {
  for (unsigned number : phasesThatOpen(plan.decisions)) {
    Demands demands = demandsIn(memory, roots, regions, phases[number], number, wishes,
                                plan.decisions, {}, plan.points, SkippedCalls::Count);
    const Unwanted unwanted = unwantedNodes(demands, regions, plan.decisions, number);
    const SiteNodes ofSites = nodesOfSites(demands, sites);
    std::vector<int> ends = unwanted.nodes;
    llvm::append_range(ends, ofSites.nodes);
    SetVector<const void *> points;
    for (const Demands::Point &point : demands.points)
      points.insert(point.item);
    Cutter cutter(std::move(demands));
    for (auto [point, places] : zip(points, cutter.restOn(points.getArrayRef(), ends)))
      for (size_t place : places)
        if (place < unwanted.nodes.size())
          plan.rests[point].push_back(unwanted.regions[place]);
        else
          plan.restsOnSites[point].push_back(ofSites.sites[place - unwanted.nodes.size()]);
  }
  sortEach(plan.rests);
  sortEach(plan.restsOnSites);
}

/// All but what its points rest on; \p opened: the regions that are executed because points lie in them.
DecidedPlan choosePlan(const MemoryUse &memory, Roots &roots, const Regions &regions,
                       ArrayRef<Phase> phases, const Wishes &plainWishes, ArrayRef<Decision> plain,
                       FunctionAnalysisManager &analyses, DenseSet<const Region *> &opened) {
  if (none_of(plain,
              [](const Decision &decision) { return decision.reachable && !decision.skippable; }))
    return {};
  // The best there is: all points given.
  Weights weights(memory.program(), analyses);
  const Candidates candidates =
      findCandidates(memory, roots, regions, phases, plainWishes, weights);
  const Points &all = candidates.all;
  const DecidedBy &best = candidates.best;
  const OpenedWishes wishes(plainWishes, candidates.opened);
  if (!gains(plain, best.decisions))
    return {.points = {}, .decisions = best.decisions};
  // As few of them as lead to the same, phase by phase: what is given in a later one is in those before it too.
  Costs costs(weights, all);
  Chooser chooser(regions, weights, costs);
  DecidedPlan plan;
  for (unsigned number : phasesThatOpen(best.decisions)) {
    Demands demands = demandsIn(memory, roots, regions, phases[number], number, wishes,
                                best.decisions, plan.points, all, SkippedCalls::HandNothingOn);
    Unwanted unwanted = unwantedNodes(demands, regions, best.decisions, number);
    Cutter cutter(std::move(demands));
    const std::optional<PointsOfPhase> chosen = chooser.choose(cutter, std::move(unwanted));
    if (!chosen)
      return {};
    add(*chosen, all, plan);
  }
  opened = withPoints(candidates.opened, plan.points);
  DecidedBy decided =
      decideWith(memory, roots, regions, phases, OpenedWishes(plainWishes, opened), plan.points);
  // What holds the others whatever is given: a point that was left out would not lift it.
  for (auto [chosen, all] : zip(decided.decisions, best.decisions))
    if (!chosen.skippable && !all.skippable)
      chosen.reason = all.reason;
  plan.points = std::move(decided.asked);
  plan.decisions = std::move(decided.decisions);
  return plan;
}

} // namespace

DecidedPlan planWithPoints(const MemoryUse &memory, Roots &roots, const Regions &regions,
                           ArrayRef<Phase> phases, const Wishes &wishes, ArrayRef<Decision> plain,
                           ArrayRef<FoldSite> sites, FunctionAnalysisManager &analyses) {
  DenseSet<const Region *> opened;
  DecidedPlan plan = choosePlan(memory, roots, regions, phases, wishes, plain, analyses, opened);
  if (!plan.points.empty())
    addRests(memory, roots, regions, phases, OpenedWishes(wishes, opened), sites, plan);
  return plan;
}

} // namespace gnomon
