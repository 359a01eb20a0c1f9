// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/ControlFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <utility>

using namespace llvm;

namespace gnomon {
namespace {
constexpr unsigned Nowhere = ~0U;
}

ControlFlow::ControlFlow(const Function &function, const DenseSet<const BasicBlock *> &errors,
                         Taken taken) {
  number(function, errors, taken);
  tieEndlessLoops();
  order();
  findJoins();
  findDeciders();
}

void ControlFlow::number(const Function &function, const DenseSet<const BasicBlock *> &errors,
                         Taken taken) {
  blocks_.push_back(nullptr);
  nodes_.assign(function.getMaxBlockNumber(), 0);
  for (const BasicBlock &block : function)
    if (!errors.contains(&block)) {
      nodes_[block.getNumber()] = blocks_.size();
      blocks_.push_back(&block);
    }
  successors_.resize(blocks_.size());
  predecessors_.resize(blocks_.size());
  auto connect = [&](Node from, Node to) {
    if (is_contained(successors_[from], to))
      return;
    successors_[from].push_back(to);
    predecessors_[to].push_back(from);
  };
  for (Node node = 1; node < blocks_.size(); ++node) {
    for (const BasicBlock *next : successors(blocks_[node]))
      if (Node other = nodeOf(*next); other && taken(*blocks_[node], *next))
        connect(node, other);
    if (successors_[node].empty())
      connect(node, 0);
  }
}

/// A loop without an end gets an edge to the function's end, so that every block has a join.
void ControlFlow::tieEndlessLoops() {
  SmallVector<bool, 0> ends(blocks_.size(), false);
  auto spread = [&](Node start) {
    SmallVector<Node, 16> work{start};
    ends[start] = true;
    while (!work.empty())
      for (Node before : predecessors_[work.pop_back_val()])
        if (!ends[before]) {
          ends[before] = true;
          work.push_back(before);
        }
  };
  spread(0);
  for (Node node = blocks_.size(); --node > 0;)
    if (!ends[node]) {
      successors_[node].push_back(0);
      predecessors_[0].push_back(node);
      spread(node);
    }
}

void ControlFlow::order() {
  place_.assign(blocks_.size(), Nowhere);
  SmallVector<bool, 0> seen(blocks_.size(), false);
  SmallVector<std::pair<Node, size_t>, 32> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next < predecessors_[node].size()) {
      Node before = predecessors_[node][next++];
      if (!seen[before]) {
        seen[before] = true;
        stack.emplace_back(before, 0);
      }
      continue;
    }
    order_.push_back(node);
    stack.pop_back();
  }
  std::reverse(order_.begin(), order_.end());
  for (auto [place, node] : enumerate(order_))
    place_[node] = place;
}

ControlFlow::Node ControlFlow::meet(Node a, Node b) const {
  while (a != b)
    if (place_[a] > place_[b])
      a = join_[a];
    else
      b = join_[b];
  return a;
}

/// Cooper, Harvey and Kennedy's iteration on the reversed graph.
void ControlFlow::findJoins() {
  join_.assign(blocks_.size(), Nowhere);
  join_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (Node node : drop_begin(order_)) {
      Node common = Nowhere;
      for (Node next : successors_[node])
        if (join_[next] != Nowhere)
          common = common == Nowhere ? next : meet(common, next);
      changed |= join_[node] != common;
      join_[node] = common;
    }
  }
}

void ControlFlow::findDeciders() {
  deciders_.resize(blocks_.size());
  for (Node node = 1; node < blocks_.size(); ++node) {
    if (successors_[node].size() < 2)
      continue;
    const Instruction *decider = blocks_[node]->getTerminator();
    for (Node next : successors_[node])
      for (Node runner = next; runner != join_[node] && runner != 0; runner = join_[runner])
        if (deciders_[runner].empty() || deciders_[runner].back() != decider)
          deciders_[runner].push_back(decider);
  }
}

/// Blocks that are made later have none.
ControlFlow::Node ControlFlow::nodeOf(const BasicBlock &block) const {
  const unsigned number = block.getNumber();
  return number < nodes_.size() ? nodes_[number] : 0;
}

ArrayRef<const Instruction *> ControlFlow::deciders(const BasicBlock &block) const {
  Node node = nodeOf(block);
  return node ? ArrayRef<const Instruction *>(deciders_[node]) : ArrayRef<const Instruction *>();
}

const BasicBlock *ControlFlow::join(const BasicBlock &block) const {
  Node node = nodeOf(block);
  return node ? blocks_[join_[node]] : nullptr;
}

ArrayRef<const BasicBlock *> ControlFlow::meetings(const BasicBlock &block) const {
  auto [known, isNew] = meetings_.try_emplace(&block);
  if (!isNew)
    return known->second;
  const BasicBlock *end = join(block);
  const unsigned blocks = block.getParent()->getMaxBlockNumber();
  SmallVector<unsigned, 0> ways(blocks, 0), seen(blocks, 0); // which way came to a block last
  SmallVector<const BasicBlock *, 8> work;
  unsigned way = 0;
  for (const BasicBlock *start : successors(&block)) {
    seen[start->getNumber()] = ++way;
    work.push_back(start);
    while (!work.empty()) {
      const BasicBlock *at = work.pop_back_val();
      const unsigned came = ++ways[at->getNumber()];
      if (came == (at == end ? 1U : 2U) && isa<PHINode>(at->front()))
        known->second.push_back(at);
      if (at == end)
        continue;
      for (const BasicBlock *next : successors(at))
        if (std::exchange(seen[next->getNumber()], way) != way)
          work.push_back(next);
    }
  }
  return known->second;
}

bool ControlFlow::goesOn(const BasicBlock &block) const {
  return block.getNumber() >= nodes_.size() || nodeOf(block) != 0;
}

bool ControlFlow::always(const BasicBlock &block) const {
  Node node = nodeOf(block);
  if (!node)
    return false;
  Node entry = nodeOf(block.getParent()->getEntryBlock());
  for (Node runner = entry; runner != 0; runner = join_[runner])
    if (runner == node)
      return true;
  return false;
}

} // namespace gnomon
