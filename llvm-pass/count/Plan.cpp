// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/Plan.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

#include <limits>
#include <numeric>

using namespace llvm;

namespace gnomon::count {
namespace {

constexpr double AlwaysOnTree = std::numeric_limits<double>::infinity();

/// Raises are kept off the edge if they can be.
bool isFixed(const Edge &edge) {
  return isa<IndirectBrInst, CallBrInst>(edge.from->getTerminator()) || !hasPlace(edge);
}

double frequencyOf(const Edge &edge, const BlockFrequencyInfo &frequencies,
                   const BranchProbabilityInfo &probabilities) {
  auto frequency = static_cast<double>(frequencies.getBlockFreq(edge.from).getFrequency());
  if (!edge.to)
    return frequency;
  BranchProbability share = probabilities.getEdgeProbability(edge.from, edge.to);
  return frequency * share.getNumerator() / BranchProbability::getDenominator();
}

} // namespace

bool hasPlace(const Edge &edge) {
  const Instruction *end = edge.from->getTerminator();
  if (!edge.to || (edge.from->getUniqueSuccessor() && !isa<InvokeInst>(end)))
    return true;
  if (edge.to->getUniquePredecessor())
    return edge.to->getFirstInsertionPt() != edge.to->end();
  return !edge.to->isEHPad() && !isa<IndirectBrInst, CallBrInst>(end);
}

Plan::Plan(Function &function, const BlockFrequencyInfo &frequencies,
           const BranchProbabilityInfo &probabilities, function_ref<bool(const Edge &)> isFree,
           function_ref<bool(const BasicBlock &)> isUnknown) {
  collect(function);
  SmallVector<Weight, 16> weights;
  for (Edge &edge : edges_) {
    edge.frequency = frequencyOf(edge, frequencies, probabilities);
    double weight = isFixed(edge) ? AlwaysOnTree : edge.frequency;
    if (isFree(edge))
      weight = -1;
    else if (isUnknown(*edge.from) || (edge.to && isUnknown(*edge.to)))
      weight *= 1e-6;
    weights.push_back({0, weight});
  }
  span(weights);
  findWay(function);
}

Plan Plan::respanned(function_ref<unsigned(const Edge &)> levelOf,
                     function_ref<double(const Edge &)> weightOf) const {
  Plan result = *this;
  result.way_.clear();
  SmallVector<Weight, 16> weights;
  for (Edge &edge : result.edges_) {
    edge.onTree = false;
    const double weight = weightOf(edge);
    weights.push_back({levelOf(edge), weight >= 0 && isFixed(edge) ? AlwaysOnTree : weight});
  }
  result.span(weights);
  return result;
}

void Plan::collect(Function &function) {
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order) {
    number_[block] = static_cast<unsigned>(blocks_.size());
    blocks_.push_back(block);
  }
  for (BasicBlock *block : blocks_) {
    SmallVector<BasicBlock *, 4> known;
    for (BasicBlock *next : successors(block)) {
      if (is_contained(known, next))
        continue;
      known.push_back(next);
      edges_.push_back({block, next});
    }
    if (isa<ReturnInst>(block->getTerminator()))
      edges_.push_back({block, nullptr});
  }
}

/// Kruskal's algorithm; equal weights in the order of the edges.
void Plan::span(ArrayRef<Weight> weights) {
  SmallVector<unsigned, 16> order(edges_.size());
  std::iota(order.begin(), order.end(), 0);
  sort(order, [&](unsigned left, unsigned right) {
    return weights[left] != weights[right] ? weights[left] > weights[right] : left < right;
  });
  auto exit = static_cast<unsigned>(blocks_.size());
  IntEqClasses trees(exit + 1);
  for (unsigned i : order) {
    Edge &edge = edges_[i];
    unsigned from = number_.lookup(edge.from);
    unsigned to = edge.to ? number_.lookup(edge.to) : exit;
    if (trees.findLeader(from) == trees.findLeader(to))
      continue;
    trees.join(from, to);
    edge.onTree = true;
  }
}

/// Of each block, the blocks beside it on the tree, and what a step there adds: \p lengthOf where the
/// edge comes from, and that taken off against its direction.
SmallVector<Plan::Neighbours, 16>
Plan::neighboursOnTree(function_ref<int64_t(unsigned)> lengthOf) const {
  const auto exit = static_cast<unsigned>(blocks_.size());
  SmallVector<Neighbours, 16> neighbours(exit + 1);
  for (const Edge &edge : edges_) {
    if (!edge.onTree)
      continue;
    const unsigned from = number_.lookup(edge.from);
    const unsigned to = edge.to ? number_.lookup(edge.to) : exit;
    neighbours[from].push_back({to, lengthOf(from)});
    neighbours[to].push_back({from, -lengthOf(from)});
  }
  return neighbours;
}

/// Along the tree from the entry to the exit; entering an edge at its head takes its tail off.
void Plan::findWay(Function &function) {
  auto exit = static_cast<unsigned>(blocks_.size());
  const auto neighbours = neighboursOnTree([](unsigned) { return 1; });
  SmallVector<std::pair<unsigned, int>, 16> cameFrom(exit + 1, {exit + 1, 0});
  SmallVector<unsigned, 16> pending{0};
  cameFrom[0] = {0, 0};
  while (!pending.empty()) {
    unsigned at = pending.pop_back_val();
    for (auto [next, direction] : neighbours[at]) {
      if (cameFrom[next].first != exit + 1)
        continue;
      cameFrom[next] = {at, static_cast<int>(direction)};
      pending.push_back(next);
    }
  }
  if (cameFrom[exit].first == exit + 1)
    return;
  for (unsigned at = exit; at != 0; at = cameFrom[at].first) {
    auto [before, direction] = cameFrom[at];
    way_.push_back({blocks_[direction > 0 ? before : at], direction});
  }
}

int64_t Plan::raises(function_ref<int64_t(const BasicBlock &)> lengthOf) {
  auto exit = static_cast<unsigned>(blocks_.size());
  SmallVector<int64_t, 16> lengths;
  for (BasicBlock *block : blocks_)
    lengths.push_back(lengthOf(*block));
  const auto neighbours = neighboursOnTree([&](unsigned block) { return lengths[block]; });
  potentials_.assign(exit + 1, 0);
  SmallVector<bool, 16> seen(exit + 1, false);
  SmallVector<unsigned, 16> pending{0};
  seen[0] = true;
  while (!pending.empty()) {
    unsigned at = pending.pop_back_val();
    for (auto [next, step] : neighbours[at]) {
      if (seen[next])
        continue;
      seen[next] = true;
      potentials_[next] = potentials_[at] + step;
      pending.push_back(next);
    }
  }
  for (Edge &edge : edges_) {
    unsigned from = number_.lookup(edge.from);
    unsigned to = edge.to ? number_.lookup(edge.to) : exit;
    edge.raise = potentials_[from] + lengths[from] - potentials_[to];
  }
  return seen[exit] ? potentials_[exit] : 0;
}

} // namespace gnomon::count
