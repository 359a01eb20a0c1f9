// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bursts/groups/Groups.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <optional>

using namespace llvm;

namespace gnomon {
namespace {

/// Instructions of a group: each is in the program three times.
constexpr size_t MostInstructions = 4000;

/// Part of the way through a loop's body: from `first` on, before `next`.
struct Segment {
  SmallVector<BasicBlock *, 8> blocks;
  SmallSetVector<unsigned, 4> members;
  BasicBlock *next;
};

/// By region: the numbers of the points for whose sake it runs where they are not given.
using PointsOf = DenseMap<unsigned, SmallVector<unsigned, 2>>;

/// Looks for groups in the loops of one function, from which MPI is reached.
class Search {
public:
  Search(const Judgement &judged, const DenseSet<const BasicBlock *> &kept,
         const DenseSet<unsigned> &mayJoin, const PointsOf &pointsOf, Function &function,
         const LoopInfo &loops)
      : judged_(judged), regions_(*judged.regions), kept_(kept), mayJoin_(mayJoin),
        pointsOf_(pointsOf), loops_(loops), ends_(function) {}

  std::vector<std::vector<Segment>> run() {
    for (const Loop *loop : loops_.getLoopsInPreorder()) {
      if (regions_.of(*loop->getHeader()) >= 0)
        continue;
      loop_ = loop;
      seen_.clear();
      along(loop->getHeader());
    }
    return std::move(runs_);
  }

private:
  /// The blocks that every way from \p first on meets, one behind the other: what lies between two of them is clean, so
  /// that it may be part of a group, or is looked into.
  void along(BasicBlock *first) {
    std::vector<Segment> run;
    for (BasicBlock *block = first;
         (block == first || isHere(block)) && seen_.insert(block).second;) {
      BasicBlock *next = behind(*block);
      std::optional<Segment> segment = next ? segmentOf(*block, *next) : std::nullopt;
      if (segment && !opensWith({}, *segment))
        segment.reset();
      if (segment) {
        if (!opensWith(run, *segment) || !isEnteredFrom(run, *segment))
          end(run);
        run.push_back(std::move(*segment));
      } else {
        end(run);
        if (loops_.getLoopFor(block) == loop_ && regions_.of(*block) < 0)
          for (BasicBlock *way : successors(block))
            if (way != next && way->getSinglePredecessor() && isHere(way))
              along(way);
      }
      block = next;
    }
    end(run);
  }

  /// Whether all regions of both may be skipped from the same phase on, and run where the same points are not given, or
  /// may run along.
  bool opensWith(ArrayRef<Segment> run, const Segment &segment) const {
    ArrayRef<Decision> decisions = judged_.decided.decisions;
    std::optional<unsigned> first, asking;
    auto agree = [&](const Segment &other) {
      return all_of(other.members, [&](unsigned member) {
        first = first.value_or(member);
        if (decisions[*first].phase != decisions[member].phase)
          return false;
        if (mayRunAlong(member))
          return true;
        asking = asking.value_or(member);
        return pointsOf_.lookup(*asking) == pointsOf_.lookup(member);
      });
    };
    return all_of(run, agree) && agree(segment);
  }

  /// Whether nothing rests on the region, neither a point nor the safety of a frail one, and it may be executed whatever
  /// else is skipped. Where a point of its neighbours is not given, it is executed with them, though nobody needs it. One
  /// that others rest on would make its neighbours run for their sake; with one whose addresses rest on others, these would
  /// have to run, too, and their memory would have to be kept.
  bool mayRunAlong(unsigned region) const {
    const Decision &decided = judged_.decided.decisions[region];
    const bool weakens =
        decided.weakensAll || !decided.waitsFor.empty() || !decided.weakens.empty();
    return !pointsOf_.contains(region) && !weakens && !decided.frail && !decided.unsafe;
  }

  bool isHere(const BasicBlock *block) const {
    return block && loop_->contains(block) && block != loop_->getHeader();
  }

  /// Where the ways from the block meet again: behind the loop that begins there, or the region.
  BasicBlock *behind(const BasicBlock &block) const {
    const Loop *loop = loops_.getLoopFor(&block);
    if (loop && loop != loop_) {
      while (loop->getParentLoop() != loop_ && loop->getParentLoop())
        loop = loop->getParentLoop();
      return loop->getUniqueExitBlock();
    }
    const auto *node = ends_.getNode(&block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }

  /// What can be reached from \p first before \p next; nothing when it is not all clean, or entered elsewhere.
  std::optional<Segment> segmentOf(BasicBlock &first, BasicBlock &next) const {
    Segment segment{{&first}, {}, &next};
    SmallSetVector<BasicBlock *, 8> blocks;
    blocks.insert(&first);
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (!isClean(*blocks[i], segment))
        return std::nullopt;
      for (BasicBlock *way : successors(blocks[i]))
        if (way != &next) {
          if (!isHere(way))
            return std::nullopt;
          blocks.insert(way);
        }
    }
    auto isInside = [&](const BasicBlock *block) {
      return blocks.contains(const_cast<BasicBlock *>(block));
    };
    for (const BasicBlock *block : blocks)
      if (block != &first && !all_of(predecessors(block), isInside))
        return std::nullopt;
    for (unsigned member : segment.members)
      if (!all_of(regions_.all()[member].blocks, isInside))
        return std::nullopt;
    segment.blocks.assign(blocks.begin(), blocks.end());
    return segment;
  }

  /// Whether the block may be part of a group: of a region that may, or between regions.
  bool isClean(const BasicBlock &block, Segment &segment) const {
    if (const int region = regions_.of(block); region >= 0) {
      segment.members.insert(unsigned(region));
      return mayJoin_.contains(unsigned(region));
    }
    return loops_.getLoopFor(&block) == loop_ && !kept_.contains(&block) &&
           !judged_.program->isError(block) && isa<BranchInst, SwitchInst>(block.getTerminator()) &&
           all_of(block, mayBeBetween);
  }

  static bool mayBeBetween(const Instruction &instruction) {
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      return isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(call) ||
             (isa<MemIntrinsic>(call) && !call->isVolatile()) ||
             (isa<IntrinsicInst>(call) && call->doesNotAccessMemory() && call->doesNotThrow());
    if (instruction.isAtomic() || instruction.isVolatile())
      return false;
    return !isa<AllocaInst>(instruction) && !instruction.mayThrow();
  }

  /// Clean segments behind each other: a group, when they hold more than one region. It ends behind the last of these, and
  /// only where nobody else comes to.
  void end(std::vector<Segment> &run) {
    while (!run.empty() && (run.back().members.empty() || !isOwnExit(run)))
      run.pop_back();
    const auto first =
        find_if(run, [](const Segment &segment) { return !segment.members.empty(); });
    run.erase(run.begin(), first);
    size_t members = 0;
    for (const Segment &segment : run)
      members += segment.members.size();
    if (members > 1)
      runs_.push_back(run);
    run.clear();
  }

  static bool isIn(ArrayRef<Segment> run, const BasicBlock *block) {
    return any_of(run, [&](const Segment &segment) { return is_contained(segment.blocks, block); });
  }

  static bool isOwnExit(ArrayRef<Segment> run) {
    return all_of(predecessors(run.back().next),
                  [&](const BasicBlock *before) { return isIn(run, before); });
  }

  /// Whether no way comes to the segment but from the ones in front of it, or from itself.
  static bool isEnteredFrom(ArrayRef<Segment> run, const Segment &segment) {
    return all_of(predecessors(segment.blocks.front()), [&](const BasicBlock *before) {
      return isIn(run, before) || isIn(segment, before);
    });
  }

  const Judgement &judged_;
  const Regions &regions_;
  const DenseSet<const BasicBlock *> &kept_;
  const DenseSet<unsigned> &mayJoin_;
  const PointsOf &pointsOf_;
  const LoopInfo &loops_;
  PostDominatorTree ends_;
  const Loop *loop_ = nullptr;
  DenseSet<const BasicBlock *> seen_;
  std::vector<std::vector<Segment>> runs_;
};

/// Blocks of which something else must be in the program once: points, and where phases begin. Those with a condition do
/// not count: no plan with decisions knows them (Judge.cpp), and whoever never enters one skips less.
DenseSet<const BasicBlock *> blocksToKeep(const Judgement &judged, ArrayRef<PlacedPoint> points) {
  DenseSet<const BasicBlock *> kept;
  for (const PlacedPoint &point : points)
    kept.insert(point.value ? point.value->getParent()
                            : cast<Instruction>(point.argument->getUser())->getParent());
  for (const Phase &phase : judged.phases)
    for (const Instruction *entry : phase.entries)
      kept.insert(entry->getParent());
  return kept;
}

PointsOf pointsByRegion(const Judgement &judged, ArrayRef<PlacedPoint> points) {
  PointsOf all;
  for (auto [number, point] : enumerate(points))
    for (unsigned region : judged.decided.rests.lookup(point.item()))
      all[region].push_back(unsigned(number));
  return all;
}

/// Whether the region may be part of a group: a loop whose instances are whole, that calls no function with loops, and of
/// which nothing else is asked. Iterations that are instances are long (Regions::wantsIterations).
bool mayJoin(const Judgement &judged, unsigned number, const DenseSet<const BasicBlock *> &kept) {
  const Region &region = judged.regions->all()[number];
  const Decision &plain = judged.decisions[number], &decided = judged.decided.decisions[number];
  return region.kind == Region::Nest && plain.hooked() && !plain.forced && decided.skippable &&
         decided.condition.empty() && decided.streams.empty() &&
         none_of(region.blocks, [&](const BasicBlock *block) {
           return kept.contains(block) || any_of(*block, [&](const Instruction &instruction) {
                    const auto *call = dyn_cast<CallBase>(&instruction);
                    return call && !judged.program->callees(*call).empty();
                  });
         });
}

/// Makes groups of what has been found in one function.
class Making {
public:
  Making(const Judgement &judged, DominatorTree &dominators, LoopInfo &loops)
      : judged_(judged), dominators_(dominators), loops_(loops) {}

  std::optional<Group> make(ArrayRef<Segment> run) {
    size_t instructions = 0;
    for (const Segment &segment : run)
      for (const BasicBlock *block : segment.blocks)
        instructions += block->size();
    if (instructions > MostInstructions)
      return std::nullopt;
    Group group;
    group.region.function = run.front().next->getParent();
    group.exit = run.back().next;
    BasicBlock *entry = enter(*run.front().blocks.front(), group);
    for (const Segment &segment : run) {
      append_range(group.members, segment.members);
      for (BasicBlock *block : segment.blocks)
        if (block != run.front().blocks.front() || judged_.regions->of(*block) >= 0)
          group.region.blocks.push_back(block);
    }
    group.region.blocks.push_back(entry);
    group.region.entry = entry;
    group.region.place = judged_.regions->all()[group.members.front()].place;
    join(group);
    return group;
  }

private:
  /// Puts the empty blocks of the question in front of the group. Gives the block with which the group begins then.
  BasicBlock *enter(BasicBlock &first, Group &group) {
    const int region = judged_.regions->of(first);
    if (region >= 0) {
      BasicBlock *before = entranceOf(judged_.regions->all()[region]);
      group.choice = SplitEdge(before, &first, &dominators_, &loops_);
      group.door = SplitEdge(group.choice, &first, &dominators_, &loops_);
      return SplitEdge(group.door, &first, &dominators_, &loops_);
    }
    auto behind = [&](BasicBlock &block, BasicBlock::iterator at) {
      return SplitBlock(&block, at, &dominators_, &loops_);
    };
    group.choice = behind(first, first.getFirstNonPHIIt());
    group.door = behind(*group.choice, group.choice->begin());
    return behind(*group.door, group.door->begin());
  }

  /// What becomes of the group: it may be skipped when all its members may, and runs for the reasons of each.
  void join(Group &group) {
    Decision &all = group.decided;
    all.reachable = all.skippable = true;
    SmallSetVector<unsigned, 4> waitsFor, weakens;
    for (unsigned member : group.members) {
      const Decision &decided = judged_.decided.decisions[member];
      all.phase = decided.phase;
      all.frail |= decided.frail;
      all.unsafe |= decided.unsafe;
      all.weakensAll |= decided.weakensAll;
      waitsFor.insert_range(decided.waitsFor);
      weakens.insert_range(decided.weakens);
      all.kept.insert_range(decided.kept);
    }
    findStale(group);
    for (const BasicBlock *block : group.region.blocks)
      if (judged_.regions->of(*block) < 0)
        for (const Instruction &instruction : *block)
          if (!is_contained(group.stale, &instruction))
            all.kept.insert(&instruction);
    all.waitsFor.assign(waitsFor.begin(), waitsFor.end());
    for (unsigned frail : weakens)
      if (!waitsFor.contains(frail))
        all.weakens.push_back(frail);
  }

  /// Stores between the members of what rests on an instruction that is left out of them: the cell is stale with that
  /// store and without it (bursts/Staleness).
  void findStale(Group &group) {
    SmallSetVector<const Instruction *, 16> stale;
    for (unsigned member : group.members) {
      const Decision &decided = judged_.decided.decisions[member];
      for (const BasicBlock *block : judged_.regions->all()[member].blocks)
        for (const Instruction &instruction : *block) {
          const auto *phi = dyn_cast<PHINode>(&instruction);
          if (!decided.kept.contains(&instruction) && !(phi && decided.reloads.contains(phi)))
            stale.insert(&instruction);
        }
    }
    for (size_t i = 0; i < stale.size(); ++i)
      for (const User *user : stale[i]->users()) {
        const auto *instruction = cast<Instruction>(user);
        if (!is_contained(group.region.blocks, instruction->getParent()) ||
            judged_.regions->of(*instruction) >= 0)
          continue;
        const auto *store = dyn_cast<StoreInst>(instruction);
        if (store && store->getValueOperand() == stale[i])
          group.stale.push_back(store);
        else if (!store && !instruction->mayReadFromMemory() && !isReloaded(group, *instruction))
          stale.insert(instruction);
      }
  }

  /// Where a member ends, too.
  bool isReloaded(const Group &group, const Instruction &instruction) const {
    const auto *phi = dyn_cast<PHINode>(&instruction);
    return phi && any_of(group.members, [&](unsigned member) {
             return judged_.decided.decisions[member].reloads.contains(phi);
           });
  }

  const Judgement &judged_;
  DominatorTree &dominators_;
  LoopInfo &loops_;
};

} // namespace

std::vector<Group> findGroups(const Judgement &judged, ArrayRef<PlacedPoint> points,
                              function_ref<bool(const Region &)> areSaid,
                              FunctionAnalysisManager &analyses) {
  std::vector<Group> groups;
  if (judged.decided.points.empty())
    return groups;
  const DenseSet<const BasicBlock *> kept = blocksToKeep(judged, points);
  const PointsOf pointsOf = pointsByRegion(judged, points);
  MapVector<Function *, DenseSet<unsigned>> members;
  for (auto [number, region] : enumerate(judged.regions->all()))
    if (judged.regions->isInLoop(region) && mayJoin(judged, unsigned(number), kept) &&
        !areSaid(region))
      members[region.function].insert(unsigned(number));
  for (auto &[function, numbers] : members) {
    if (numbers.size() < 2)
      continue;
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(*function);
    Making making(judged, analyses.getResult<DominatorTreeAnalysis>(*function), loops);
    for (const std::vector<Segment> &run :
         Search(judged, kept, numbers, pointsOf, *function, loops).run())
      if (std::optional<Group> group = making.make(run))
        groups.push_back(std::move(*group));
  }
  return groups;
}

} // namespace gnomon
