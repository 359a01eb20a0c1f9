// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Registers.h"

#include "count/BurstEnds.h"
#include "count/Moves.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace gnomon::count {
namespace {

constexpr double EmptyingsForRaise = 2;

/// So many places of emptying are no matter, however few raises they replace.
constexpr unsigned FewPlaces = 16;

/// How often something is estimated to happen, and in how many places of the code.
struct Cost {
  double frequency = 0;
  unsigned places = 0;

  void add(double often) {
    frequency += often;
    ++places;
  }
};

class Choice {
public:
  Choice(const Function &function, const Loops &loops, const Quiet &quiet, ArrayRef<Edge> edges)
      : function_(function), loops_(loops), quiet_(quiet), edges_(edges) {
    for (const Edge &edge : edges)
      frequencies_[edge.from] += edge.frequency;
  }

  bool takes(const Loop &loop) const {
    return hasPlaceToEmpty(loop) && (loops_.isQuiet(&loop) || isWorthIt(loop));
  }

  /// Calls of a block that may find something in the register.
  SmallVector<CallBase *, 2> lookers(BasicBlock &block) const;

  bool looks(const BasicBlock &block) const {
    return any_of(block, [&](const Instruction &instruction) { return looks(instruction); });
  }

private:
  bool looks(const Instruction &instruction) const {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && !quiet_.is(*call) && !isToldPending(*call);
  }
  bool hasPlaceToEmpty(const Loop &loop) const;
  bool goesRoundUnseen(const Loop &loop) const;
  bool isWorthIt(const Loop &loop) const;
  Cost raisesOfMemory(const Loop &loop) const;
  Cost emptyings(const Loop &loop) const;

  const Function &function_;
  const Loops &loops_;
  const Quiet &quiet_;
  ArrayRef<Edge> edges_;
  DenseMap<const BasicBlock *, double> frequencies_; ///< looked up only
};

SmallVector<CallBase *, 2> Choice::lookers(BasicBlock &block) const {
  SmallVector<CallBase *, 2> result;
  bool empty = false;
  for (Instruction &instruction : block) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && looks(*call) && !std::exchange(empty, true))
      result.push_back(call);
    if (call && variableMove(*call))
      empty = false;
  }
  return result;
}

/// A call that looks leaves nothing in the register when it throws.
bool Choice::hasPlaceToEmpty(const Loop &loop) const {
  SmallVector<Loop::Edge, 8> exits;
  loop.getExitEdges(exits);
  return all_of(exits, [&](Loop::Edge exit) {
    return hasPlace({exit.first, exit.second}) || looks(*exit.first->getTerminator());
  });
}

/// Some way from the head to the head meets no call that looks.
bool Choice::goesRoundUnseen(const Loop &loop) const {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *, 16> pending{loop.getHeader()};
  while (!pending.empty()) {
    const BasicBlock *block = pending.pop_back_val();
    if (!loop.contains(block) || looks(*block))
      continue;
    for (const BasicBlock *next : successors(block)) {
      if (next == loop.getHeader())
        return true;
      if (seen.insert(next).second)
        pending.push_back(next);
    }
  }
  return false;
}

bool Choice::isWorthIt(const Loop &loop) const {
  if (function_.callsFunctionThatReturnsTwice() || !goesRoundUnseen(loop))
    return false;
  Cost memory = raisesOfMemory(loop), registers = emptyings(loop);
  return registers.frequency <= EmptyingsForRaise * memory.frequency &&
         registers.places <= std::max(FewPlaces, memory.places);
}

/// Of a loop that is not taken, while the quiet loops in it are.
Cost Choice::raisesOfMemory(const Loop &loop) const {
  Cost result;
  for (const Edge &edge : edges_) {
    if (!loop.contains(edge.from))
      continue;
    const Loop *quiet = nullptr;
    for (const Loop *inner = loops_.around(edge.from); loops_.isQuiet(inner);
         inner = inner->getParentLoop())
      quiet = inner;
    if (quiet ? !quiet->contains(edge.to) : !edge.raise.isZero())
      result.add(edge.frequency);
  }
  return result;
}

Cost Choice::emptyings(const Loop &loop) const {
  Cost result;
  for (BasicBlock *block : loop.blocks())
    for (size_t i = lookers(*block).size(); i > 0; --i)
      result.add(frequencies_.lookup(block));
  for (const Edge &edge : edges_)
    if (loop.contains(edge.from) && !loop.contains(edge.to))
      result.add(edge.frequency);
  return result;
}

/// Loops, each with the number of its iterations.
using Known = SmallVector<std::pair<const Loop *, unsigned>, 8>;

/// Those inside of \p around whose iterations are known before it; inner loops first.
Known knownLoops(const Loop &around, const Loops &loops, KnownCounts &counts) {
  Known result;
  SmallVector<const Loop *, 8> pending(around.begin(), around.end());
  while (!pending.empty()) {
    const Loop *loop = pending.pop_back_val();
    append_range(pending, loop->getSubLoops());
    if (!loop->getLoopPreheader() || !loops.induction(loop))
      continue;
    if (const std::optional<unsigned> count = counts.iterations(*loop, around))
      result.push_back({loop, *count});
  }
  std::reverse(result.begin(), result.end());
  return result;
}

/// The loops of a function that get a register, and a tree of their own, each with those inside of
/// it that are known.
using Taken = MapVector<const Loop *, Known>;

/// The potentials Q of the file's head inside of one loop, and what they make of the plan's P.
class Inside {
public:
  Inside(const Plan &plan, const Plan &own, const Loops &loops, const Loop &loop,
         function_ref<int64_t(const BasicBlock &)> lengthOf);

  /// Makes the loop one of which nothing is raised where it is left; false when that cannot be
  /// said. Inner ones come first.
  bool know(const Loop &inner, unsigned count, KnownCounts &counts);
  /// After all of these.
  void finish() { potentials_ = potentialsIn(loop_); }

  Amount shift(BasicBlock *block) const {
    Amount result = potentials_.lookup(block);
    result += plan_.potential(loop_.getHeader()) - plan_.potential(block);
    return result;
  }
  void change(SmallVectorImpl<Edge> &edges) const;

private:
  using Potentials = DenseMap<const BasicBlock *, Amount>; // looked up only

  Amount lengthOf(const Edge &edge) const;
  Potentials potentialsIn(const Loop &loop) const;

  const Plan &plan_, &own_;
  const Loops &loops_;
  const Loop &loop_;
  function_ref<int64_t(const BasicBlock &)> lengthOf_;
  DenseMap<const BasicBlock *, SmallVector<const Edge *, 3>> onTree_; ///< looked up only
  DenseMap<const Loop *, Amount> past_; ///< what known loops add; looked up only
  Potentials potentials_;
};

Inside::Inside(const Plan &plan, const Plan &own, const Loops &loops, const Loop &loop,
               function_ref<int64_t(const BasicBlock &)> lengthOf)
    : plan_(plan), own_(own), loops_(loops), loop_(loop), lengthOf_(lengthOf) {
  for (const Edge &edge : own_.edges())
    if (edge.onTree && loop.contains(edge.from) && loop.contains(edge.to)) {
      onTree_[edge.from].push_back(&edge);
      onTree_[edge.to].push_back(&edge);
    }
}

/// What runs from the head of the edge's first block to its end, with the known loops that it leaves.
Amount Inside::lengthOf(const Edge &edge) const {
  Amount result = lengthOf_(*edge.from);
  for (const Loop *left = loops_.around(edge.from);
       left != &loop_ && !(edge.to && left->contains(edge.to)); left = left->getParentLoop())
    if (auto past = past_.find(left); past != past_.end())
      result += past->second;
  return result;
}

/// Along the tree, from the head of the loop.
Inside::Potentials Inside::potentialsIn(const Loop &loop) const {
  Potentials result;
  result[loop.getHeader()] = 0;
  SmallVector<const BasicBlock *, 16> pending{loop.getHeader()};
  while (!pending.empty()) {
    const BasicBlock *block = pending.pop_back_val();
    const Amount here = result.lookup(block);
    auto edges = onTree_.find(block);
    if (edges == onTree_.end())
      continue;
    for (const Edge *edge : edges->second) {
      const BasicBlock *other = edge->from == block ? edge->to : edge->from;
      if (!loop.contains(other) || result.contains(other))
        continue;
      Amount there = here;
      there.add(lengthOf(*edge), edge->from == block ? 1 : -1);
      result[other] = std::move(there);
      pending.push_back(other);
    }
  }
  return result;
}

bool Inside::know(const Loop &inner, unsigned count, KnownCounts &counts) {
  const Potentials potentials = potentialsIn(inner);
  const BasicBlock *latch = inner.getLoopLatch();
  if (potentials.size() != inner.getNumBlocks())
    return false;
  Amount each = potentials.lookup(latch);
  each += lengthOf_(*latch);
  std::optional<Amount> all = counts.times(each, count);
  if (all)
    past_[&inner] = std::move(*all);
  return all.has_value();
}

void Inside::change(SmallVectorImpl<Edge> &edges) const {
  for (auto [edge, own] : zip_equal(edges, own_.edges())) {
    if (!loop_.contains(edge.from))
      continue;
    if (!loop_.contains(edge.to)) {
      // What the plan raises by, which knows no loop's iterations, and what these add.
      edge.raise += shift(edge.from);
      edge.raise += lengthOf(own);
      edge.raise -= lengthOf_(*edge.from);
      continue;
    }
    edge.raise = potentials_.lookup(edge.from);
    edge.raise += lengthOf(own);
    edge.raise -= potentials_.lookup(edge.to);
  }
}

/// The tree of the file's head: blocks of known loops, and of loops with a register, are connected
/// first.
Plan spanInside(const Plan &plan, const Loops &loops, const Choice &choice, const Taken &taken) {
  DenseSet<const Loop *> apart;
  for (const auto &[loop, known] : taken) {
    apart.insert(loop);
    for (auto [inner, count] : known)
      apart.insert(inner);
  }
  auto levelOf = [&](const Edge &edge) {
    unsigned level = 0;
    for (const Loop *loop = loops.around(edge.from); loop; loop = loop->getParentLoop())
      level += edge.to && loop->contains(edge.to) && apart.contains(loop);
    return level;
  };
  return plan.respanned(levelOf, [&](const Edge &edge) {
    const Loop *loop = loops.around(edge.from);
    if (loop && isBackEdge(edge, *loop) && loops.induction(loop))
      return -1.0;
    bool seen = choice.looks(*edge.from) || (edge.to && choice.looks(*edge.to));
    return seen ? edge.frequency / 2 : edge.frequency;
  });
}

} // namespace

Registers::Registers(const Function &function, const Loops &loops, const Quiet &quiet,
                     const Plan &plan, function_ref<int64_t(const BasicBlock &)> lengthOf,
                     KnownCounts &counts)
    : Registers(plan) {
  Choice choice(function, loops, quiet, plan.edges());
  SmallVector<const Loop *, 8> pending(loops.outermost());
  Taken apart;
  while (!pending.empty()) {
    const Loop *loop = pending.pop_back_val();
    if (!choice.takes(*loop)) {
      append_range(pending, loop->getSubLoops());
      continue;
    }
    Known known = knownLoops(*loop, loops, counts);
    if (loops.isQuiet(loop) && known.empty()) {
      take(*loop, [](BasicBlock *) { return Amount(); });
      findIterations(*loop, loops, counts);
    } else
      apart.insert({loop, std::move(known)});
  }
  if (apart.empty())
    return;
  const Plan own = spanInside(plan, loops, choice, apart);
  for (const auto &[loop, known] : apart) {
    Inside inside(plan, own, loops, *loop, lengthOf);
    for (auto [inner, count] : known)
      if (inside.know(*inner, count, counts))
        known_.insert(inner);
    inside.finish();
    findIterations(*loop, loops, counts);
    take(*loop, [&](BasicBlock *block) { return inside.shift(block); });
    inside.change(edges_);
    if (loops.isQuiet(loop))
      continue;
    for (BasicBlock *block : loop->blocks())
      for (CallBase *call : choice.lookers(*block))
        emptyings_.push_back({call, inside.shift(block)});
  }
  for (const Edge &edge : edges_)
    if (const Loop *loop = edge.to ? around(loops.around(edge.to)) : nullptr;
        loop && loop->getHeader() == edge.to && !loop->contains(edge.from))
      entered_[loop] += edge.frequency;
}

/// Of loops inside, and of this one, those that are not known before it.
void Registers::findIterations(const Loop &loop, const Loops &loops, KnownCounts &counts) {
  for (const Loop *inner : loop.getLoopsInPreorder())
    if (!known_.contains(inner) && loops.induction(inner))
      if (const std::optional<unsigned> count = counts.iterations(*inner))
        iterations_[inner] = *count;
}

void Registers::take(const Loop &loop, function_ref<Amount(BasicBlock *)> shift) {
  taken_.insert(&loop);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallBase>(&instruction); call && isToldPending(*call))
        hooks_.push_back({call, shift(block)});
}

const Loop *Registers::around(const Loop *loop) const {
  while (loop && !taken_.contains(loop))
    loop = loop->getParentLoop();
  return loop;
}

} // namespace gnomon::count
