// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/BurstsPass.h"

#include "bursts/Assignments.h"
#include "bursts/BurstRemarks.h"
#include "bursts/CommonCalls.h"
#include "bursts/Folds.h"
#include "bursts/FreeSites.h"
#include "bursts/Judge.h"
#include "bursts/KeptPrints.h"
#include "bursts/PointHooks.h"
#include "bursts/Staleness.h"
#include "bursts/Transform.h"
#include "bursts/Wishes.h"
#include "bursts/forms/EqualAddresses.h"
#include "bursts/forms/LibraryInstances.h"
#include "bursts/forms/MergedLoops.h"
#include "bursts/forms/WalkerCopies.h"
#include "bursts/groups/Groups.h"
#include "facts/ExternalWork.h"
#include "facts/Externals.h"
#include "fold/FoldHooks.h"
#include "names/HookCode.h"
#include "names/Names.h"
#include "overrides/Effects.h"
#include "overrides/Overrides.h"
#include "work/Work.h"

#include "gnomon/Fold.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <chrono>
#include <cstdlib>
#include <optional>

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

/// Whether the user said at the link that the program is for exact runs only.
bool isExactOnly() {
  const char *wish = std::getenv("GNOMON_SHADOW");
  return wish && StringRef(wish) == "0";
}

bool isLibraryCall(const CallBase &call) {
  return call.getCalledFunction() && call.getCalledFunction()->isDeclaration();
}

/// The same of a group's loops together.
InstanceWork workOf(const Group &group, const Regions &regions, FunctionWork &callees,
                    FunctionAnalysisManager &analyses) {
  Function &function = *group.region.function;
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  WorkBuilder builder(function, loops, analyses.getResult<ScalarEvolutionAnalysis>(function),
                      analyses.getResult<DominatorTreeAnalysis>(function),
                      WorkBuilder::Form::Formula, &callees);
  SmallVector<Loop *, 4> nests;
  for (unsigned member : group.members)
    nests.push_back(loops.getLoopFor(regions.all()[member].header));
  return builder.ofNests(nests, group.door->getTerminator());
}

/// Code for the works of all regions and groups, while the functions are still as the source has them.
std::vector<InstanceWork> addWorks(const Regions &regions, const std::vector<Decision> &decisions,
                                   MutableArrayRef<Group> groups, Module &module,
                                   FunctionAnalysisManager &analyses) {
  std::vector<InstanceWork> works(regions.all().size());
  FunctionWork callees(analyses);
  SmallPtrSet<const Function *, 16> hooked;
  for (auto [region, decision] : zip(regions.all(), decisions))
    if (decision.hooked())
      hooked.insert(region.function);
  callees.summarise(module, [&](const Function &function) { return hooked.contains(&function); });
  for (auto [index, region] : enumerate(regions.all())) {
    if (!decisions[index].hooked())
      continue;
    Function &function = *region.function;
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    WorkBuilder builder(function, loops, analyses.getResult<ScalarEvolutionAnalysis>(function),
                        analyses.getResult<DominatorTreeAnalysis>(function),
                        WorkBuilder::Form::Formula, &callees);
    BasicBlock *before = entranceOf(region);
    Instruction *position = before->getTerminator();
    Instruction *last = position->getPrevNode(); // of the program's
    if (region.kind == Region::Call)
      works[index] = isLibraryCall(*region.call)
                         ? InstanceWork{.number = externalWork(*region.call, *position)}
                         : builder.ofCall(*region.call, position);
    else if (Loop *loop = loops.getLoopFor(region.header))
      works[index] = region.kind == Region::Nest ? builder.ofNest(*loop, position)
                                                 : builder.ofIteration(*loop, position);
    for (auto at = last ? std::next(last->getIterator()) : before->begin(); &*at != position; ++at)
      markAsHook(*at);
  }
  for (Group &group : groups)
    group.work = workOf(group, regions, callees, analyses);
  return works;
}

/// Whether the second decision folds a site that the first one does not, or does later.
bool foldsMore(ArrayRef<FoldSite> sites, FoldDecision FoldSite::*first,
               FoldDecision FoldSite::*second) {
  return any_of(sites, [&](const FoldSite &site) {
    const FoldDecision &one = site.*first, &other = site.*second;
    return other.foldable && (!one.foldable || other.phase < one.phase);
  });
}

/// Marks which of \p decisions are frail or unsafe, and which prints their copies keep.
StaleBy markStale(const Judgement &judged, std::vector<Decision> &decisions,
                  ArrayRef<FoldSite> folds, FoldDecision FoldSite::*sampled,
                  FoldDecision FoldSite::*skipped, const Points &given) {
  StaleBy stale;
  stale.sampled = markFrail(*judged.memory, *judged.roots, *judged.regions, judged.phases,
                            decisions, foldedCells(folds, sampled), given);
  if (foldsMore(folds, sampled, skipped))
    stale.skipped = markUnsafe(*judged.memory, *judged.roots, *judged.regions, judged.phases,
                               decisions, foldedCells(folds, skipped), given);
  keepPrints(*judged.memory, *judged.roots, *judged.regions, stale.worst(), decisions);
  return stale;
}

/// Edges from a stale condition to an error's end, outside what is skipped; and those that leave a
/// loop in which the user wants to stay.
void addErrorSites(const Program &program, const BothStale &stale, Regions &regions,
                   Transform &transform) {
  constexpr uint32_t AllPlans = (1U << GNOMON_PLANS) - 1;
  struct Site {
    BranchInst *branch;
    unsigned index;
    uint32_t plans;
  };
  SmallVector<Site, 8> sites;
  for (Function &function : program.module())
    for (BasicBlock &block : function) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() || program.isError(block))
        continue;
      for (unsigned i : {0U, 1U}) {
        const BasicBlock &end = *branch->getSuccessor(i);
        if (!program.isError(end) || program.isError(*branch->getSuccessor(1 - i)))
          continue;
        const uint32_t plans =
            program.isStayed(end) ? AllPlans : stale.plansOf(*branch->getCondition());
        if (plans)
          sites.push_back({branch, i, plans});
      }
    }
  for (auto [branch, index, plans] : sites)
    if (BasicBlock *block = transform.addErrorSite(*branch, index, plans))
      if (int region = regions.of(*branch); region >= 0)
        regions.adopt(*block, region);
}

/// Loops that always run become one burst each: one question, not one an iteration.
void widenWhatAlwaysRuns(Judgement &judged) {
  for (auto [index, decision] : enumerate(judged.decisions))
    if (decision.reachable && !judged.maySkip(index))
      judged.regions->widen(index);
}

bool skips(const Judgement &judged) {
  for (auto [index, decision] : enumerate(judged.decisions))
    if (decision.reachable && judged.maySkip(index))
      return true;
  return false;
}

/// Whether the region's record says something else where points are given.
bool changesPlan(const Judgement &judged, size_t region) {
  if (judged.decided.points.empty())
    return false;
  const Decision &plain = judged.decisions[region], &decided = judged.decided.decisions[region];
  return plain.skippable != decided.skippable || plain.phase != decided.phase ||
         plain.frail != decided.frail || plain.unsafe != decided.unsafe ||
         plain.waitsFor != decided.waitsFor || plain.weakens != decided.weakens ||
         plain.weakensAll != decided.weakensAll ||
         (!plain.skippable && plain.reason.text != decided.reason.text);
}

/// The copies of a region: where it is skipped without the values of points, and where these are given.
void addCopies(const Judgement &judged, size_t index, Transform &transform) {
  const Region &region = judged.regions->all()[index];
  const Decision &plain = judged.decisions[index];
  transform.addCopy(region, plain);
  if (judged.decided.points.empty())
    return;
  const Decision &decided = judged.decided.decisions[index];
  // As many are the same as one lies in the other.
  const bool same = plain.skippable && decided.skippable && plain.streams == decided.streams &&
                    plain.kept.size() == decided.kept.size() &&
                    all_of(plain.kept, [&](const Instruction *instruction) {
                      return decided.kept.contains(instruction);
                    });
  if (!same)
    transform.addDecidedCopy(region, decided);
}

/// Whether skipping rests on written files not being read.
bool countsOnFiles(const Judgement &judged) {
  return skips(judged) && judged.roots->checkedOutput() &&
         judged.roots->files().wish() != FilesWish::Unread;
}

/// Whoever needed the value of a phi that chooses between readings of one place has needed the first reading alone. So
/// that is what it gets: the others may lie in what is skipped, and phis that lead to it behind that. (Where the first one
/// lies in a region itself, so does the phi: see Duplicate.)
void useFirstReadings(Module &module, const MemoryUse &memory, const Regions &regions) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis()) {
        auto *first = const_cast<LoadInst *>(memory.knownReloadOf(phi));
        if (!first || regions.of(*first) >= 0)
          continue;
        Value *same = first;
        if (first->getType() != phi.getType()) // the number of an address
          same = new PtrToIntInst(first, phi.getType(), "", std::next(first->getIterator()));
        phi.replaceAllUsesWith(same);
      }
}

void report(const Judgement &judged) {
  for (auto [region, decision] : zip(judged.regions->all(), judged.decisions))
    if (decision.reachable)
      reportBurst(region, decision);
  if (!judged.decided.decisions.empty())
    for (auto [region, decision, decided] :
         zip(judged.regions->all(), judged.decisions, judged.decided.decisions))
      if (decision.reachable)
        reportDecided(region, decision, decided);
  reportCommonCalls(*judged.regions, judged.decisions);
  reportLoopEnds(judged.decisions, *judged.roots);
  reportFiles(*judged.roots, skips(judged), judged.assumesUnread);
  reportUnknown(judged.program->module(), *judged.memory);
}

/// The records of the bursts that each point holds back, those that may be skipped only where points are given; and of
/// those that run where it is not, with the memory that is kept then.
/// A group's stands for those of its members there.
void noteBursts(const Judgement &judged, const Transform &transform,
                MutableArrayRef<PlacedPoint> points) {
  const DecidedPlan &plan = judged.decided;
  for (PlacedPoint &point : points) {
    for (unsigned region : plan.holds.lookup(point.item()))
      if (const Decision &plain = judged.decisions[region], &decided = plan.decisions[region];
          plain.hooked() && decided.skippable &&
          (!plain.skippable || (!plain.condition.empty() && decided.condition.empty())))
        point.held.push_back(&transform.record(region));
    for (unsigned region : plan.rests.lookup(point.item()))
      if (judged.decisions[region].hooked())
        point.rests.push_back(&transform.recordOfDecided(region));
    point.sites = plan.restsOnSites.lookup(point.item());
  }
}

/// What is put into the program beside the bursts.
struct Additions {
  const BothStale &stale;
  MutableArrayRef<Group> groups;
  MutableArrayRef<PlacedPoint> points;
  ArrayRef<FoldSite> folds;
  ArrayRef<FreeSite> frees;
};

/// Puts all that has been decided into the program.
void makeSkippable(Judgement &judged, Additions added, const Overrides &overrides, Module &module,
                   FunctionAnalysisManager &analyses) {
  markFoldSites(added.folds);
  Regions &regions = *judged.regions;
  const std::vector<Decision> &decisions = judged.decisions;

  // How much an instance computes, in front of each region.
  std::vector<InstanceWork> works = addWorks(regions, decisions, added.groups, module, analyses);

  // A record for each region; then, beside it, what of it must be kept.
  Transform transform(*judged.program, module);
  const size_t count = regions.all().size();
  transform.addRecords(count + added.groups.size());
  for (auto [index, group] : enumerate(added.groups))
    transform.standFor(group, unsigned(count + index));
  for (size_t index = 0; index < count; ++index)
    if (decisions[index].hooked())
      addCopies(judged, index, transform);

  // A second look at errors whose condition may be stale.
  addErrorSites(*judged.program, added.stale, regions, transform);
  addFreeSites(added.frees, regions, transform);

  // The question in front of each region, the end behind it; the points where phases begin.
  for (auto [index, region] : enumerate(regions.all()))
    if (decisions[index].hooked())
      transform.addHooks(index, region, decisions[index],
                         changesPlan(judged, index) ? &judged.decided.decisions[index] : nullptr,
                         factsFor(wordsFor(overrides, region), region, std::move(works[index])));
  for (auto [index, group] : enumerate(added.groups))
    transform.addGroupHooks(unsigned(count + index), group);
  for (auto [number, phase] : enumerate(judged.phases)) {
    for (Instruction *entry : phase.entries)
      transform.addPhase(*entry, number);
    for (const Phase::Check &check : phase.checks)
      transform.addPhaseWhere(check, phase.holds, number);
  }
  noteBursts(judged, transform, added.points);
  transform.noteChanged(addPointHooks(added.points, module));
  transform.noteChanged(addFoldHooks(added.folds, module));
  transform.finish();
}

} // namespace

PreservedAnalyses BurstsPass::run(Module &module, ModuleAnalysisManager &modules) {
  if (module.getNamedGlobal(names::BurstsOn))
    return PreservedAnalyses::all(); // done already

  // What users say of bursts. Statements that they marked are cut out of their functions.
  const bool looks = callsMpi(module) && !isExactOnly();
  if (looks) {
    separateMergedLoops(module);
    copyWalkers(module);
  }
  Overrides overrides(module);
  const std::vector<NamedEffect> said = readEffects(module);
  const bool cut = overrides.cutStatements(module);
  if (!looks)
    return cut ? PreservedAnalyses::none() : PreservedAnalyses::all();
  const double began = wallSeconds();
  FunctionAnalysisManager &analyses =
      modules.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  // Last of all: the link's optimiser and code generation need as much memory as the analysis did, and
  // find it in the heap. Handed back to the system, each page of it would be made again at its next use.
  const scope_exit giveBack([&] { analyses.clear(); });

  // The form that all that follows relies on: statements and loops with exits of their own.
  joinEqualAddresses(module);
  splitAssignments(module);
  std::vector<MarkedRegion> statements = closeStatements(overrides.statements());
  analyses.clear(); // blocks have been split
  canonicaliseLoops(module, analyses);
  SmallVector<BasicBlock *, 2> stayed = cutStayedExits(overrides, analyses);

  // Which memory each instruction may touch.
  Externals externals(module, said);
  LibraryInstances instances(module, externals);
  PointsTo pointsTo(module, externals);
  if (!pointsTo.complete()) {
    reportTooLarge(module);
    return PreservedAnalyses::none();
  }
  reportPooled(module, pointsTo.pooledObjects(), pointsTo.objectCount());

  // The bursts: which may be skipped, and what is stale where they are.
  Judgement judged = judge(module, analyses, {pointsTo, externals, overrides, statements, stayed});
  DecidedPlan &decided = judged.decided;
  const std::vector<FoldSite> folds =
      findFolds(judged, [&](const Region &region) { return wishOf(wordsFor(overrides, region)); });
  BothStale stale;
  stale.plain = markStale(judged, judged.decisions, folds, &FoldSite::plain, &FoldSite::skipped,
                          Slice::noPoints());
  if (!decided.points.empty()) {
    const auto assuming = judged.roots->assumeUnread(judged.assumesUnread);
    stale.decided = markStale(judged, decided.decisions, folds, &FoldSite::decided,
                              &FoldSite::decidedSkipped, decided.points);
  }
  std::vector<PlacedPoint> points = placePoints(decided.points, *judged.roots, module);
  widenWhatAlwaysRuns(judged);
  leaveOutCommonCalls(judged, overrides);

  // What the user is told.
  report(judged);
  reportPoints(points);
  reportFolds(folds, module);
  reportAnalysis(module, judged.regions->all().size(), pointsTo.cellCount(), judged.phases.size(),
                 wallSeconds() - began);

  // The change. What the decisions rest on makes room.
  const bool checksFiles = countsOnFiles(judged);
  const std::vector<FreeSite> frees = findFreeSites(module, *judged.memory, *judged.regions, stale);
  useFirstReadings(module, *judged.memory, *judged.regions);
  judged.roots.reset();
  judged.memory.reset();
  instances.restore();
  std::vector<Group> groups = findGroups(
      judged, points, [&](const Region &region) { return isSaid(wordsFor(overrides, region)); },
      analyses);
  reportGroups(groups);
  makeSkippable(judged, {stale, groups, points, folds, frees}, overrides, module, analyses);

  // The runtime looks out for files that are written and read.
  if (checksFiles)
    module.addModuleFlag(Module::Max, names::ChecksFiles, 1);
  if (judged.assumesUnread)
    module.addModuleFlag(Module::Max, names::ChecksFilesGiven, 1);
  if (checksFiles || judged.assumesUnread) {
    addReadBackHooks(module, /*onlyCommands=*/!judged.assumesUnread);
    addUnitHooks(module);
  }
  return PreservedAnalyses::none();
}

} // namespace gnomon
