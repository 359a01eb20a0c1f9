// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Registers.h"

#include "count/BurstEnds.h"
#include "count/Moves.h"

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
    return call && !quiet_.is(*call) && !isBurstHook(*call);
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
    if (quiet ? !quiet->contains(edge.to) : edge.raise != 0)
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

/// The potentials Q of the file's head, and what they make of the plan's P.
class Inside {
public:
  Inside(const Plan &plan, const Loops &loops, const Choice &choice,
         function_ref<int64_t(const BasicBlock &)> lengthOf)
      : plan_(plan), own_(span(plan, loops, choice)) {
    own_.raises(lengthOf);
  }

  int64_t shift(const Loop &loop, BasicBlock *block) const {
    return ahead(block) - ahead(loop.getHeader());
  }
  void change(SmallVectorImpl<Edge> &edges, const Loop &loop) const;

private:
  static Plan span(const Plan &plan, const Loops &loops, const Choice &choice);
  int64_t ahead(BasicBlock *block) const { return own_.potential(block) - plan_.potential(block); }

  const Plan &plan_;
  Plan own_;
};

Plan Inside::span(const Plan &plan, const Loops &loops, const Choice &choice) {
  return plan.respanned([&](const Edge &edge) {
    const Loop *loop = loops.around(edge.from);
    if (loop && isBackEdge(edge, *loop) && loops.induction(loop))
      return -1.0;
    bool seen = choice.looks(*edge.from) || (edge.to && choice.looks(*edge.to));
    return seen ? edge.frequency / 2 : edge.frequency;
  });
}

void Inside::change(SmallVectorImpl<Edge> &edges, const Loop &loop) const {
  for (auto [edge, own] : zip_equal(edges, own_.edges()))
    if (loop.contains(edge.from))
      edge.raise = loop.contains(edge.to) ? own.raise : edge.raise + shift(loop, edge.from);
}

} // namespace

Registers::Registers(const Function &function, const Loops &loops, const Quiet &quiet,
                     const Plan &plan, function_ref<int64_t(const BasicBlock &)> lengthOf)
    : Registers(plan) {
  Choice choice(function, loops, quiet, plan.edges());
  SmallVector<const Loop *, 8> pending(loops.outermost()), seen;
  while (!pending.empty()) {
    const Loop *loop = pending.pop_back_val();
    if (!choice.takes(*loop))
      append_range(pending, loop->getSubLoops());
    else if (loops.isQuiet(loop))
      take(*loop, [](BasicBlock *) { return int64_t(0); });
    else
      seen.push_back(loop);
  }
  if (seen.empty())
    return;
  const Inside inside(plan, loops, choice, lengthOf);
  for (const Loop *loop : seen) {
    take(*loop, [&](BasicBlock *block) { return inside.shift(*loop, block); });
    inside.change(edges_, *loop);
    for (BasicBlock *block : loop->blocks())
      for (CallBase *call : choice.lookers(*block))
        emptyings_.push_back({call, inside.shift(*loop, block)});
  }
}

void Registers::take(const Loop &loop, function_ref<int64_t(BasicBlock *)> shift) {
  taken_.insert(&loop);
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallBase>(&instruction); call && isBurstHook(*call))
        hooks_.push_back({call, shift(block)});
}

const Loop *Registers::around(const Loop *loop) const {
  while (loop && !taken_.contains(loop))
    loop = loop->getParentLoop();
  return loop;
}

} // namespace gnomon::count
