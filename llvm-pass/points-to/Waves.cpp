// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The solver's iteration: cycles, topological order, waves of differences.
#include "points-to/Solver.h"

#include <algorithm>

using namespace llvm;

namespace gnomon::pointsto {

void Solver::merge(NodeId into, NodeId from) {
  leader_[from] = into;
  Node &target = nodes_[into];
  Node &source = nodes_[from];
  target.pointees |= source.pointees;
  if (!source.others) // what `into` has pushed reaches the new targets here
    for (NodeId reached : source.targets)
      nodes_[find(reached)].pointees |= target.pushed;
  else
    target.pushed &= source.pushed;
  target.targets |= source.targets;
  if (source.others) {
    Others moved = std::move(others_[source.others]);
    Others &kept = othersOf(into);
    kept.steps.append(moved.steps.begin(), moved.steps.end());
    kept.loads.append(moved.loads.begin(), moved.loads.end());
    kept.stores.append(moved.stores.begin(), moved.stores.end());
    kept.memoryCopies.append(moved.memoryCopies.begin(), moved.memoryCopies.end());
    kept.calls.append(moved.calls.begin(), moved.calls.end());
  }
  nodes_[from] = Node();
}

namespace {

/// Tarjan's strongly connected components, without recursion: chains of copies are long.
struct ComponentSearch {
  struct Frame {
    NodeId node;
    SparseBitVector<>::iterator next, end;
  };
  std::vector<uint32_t> number, low;
  std::vector<char> onStack;
  std::vector<NodeId> stack;
  std::vector<Frame> frames;
  uint32_t count = 0;

  explicit ComponentSearch(size_t nodes) : number(nodes, 0), low(nodes, 0), onStack(nodes, 0) {}

  void enter(NodeId node, const SparseBitVector<> &targets) {
    number[node] = low[node] = ++count;
    onStack[node] = 1;
    stack.push_back(node);
    frames.push_back({node, targets.begin(), targets.end()});
  }
};

} // namespace

/// Merges the nodes of each cycle; the order has each node before those that it is copied to.
std::vector<NodeId> Solver::orderAndCollapse() {
  for (NodeId node : joinEscaped_)
    if (find(node) != find(EscapedNode))
      merge(find(EscapedNode), find(node));
  joinEscaped_.clear();
  std::vector<NodeId> order;
  std::vector<std::pair<NodeId, NodeId>> merges;
  ComponentSearch search(nodes_.size());
  for (NodeId root = 0; root < nodes_.size(); ++root) {
    if (leader_[root] != root || search.number[root])
      continue;
    search.enter(root, nodes_[root].targets);
    while (!search.frames.empty()) {
      ComponentSearch::Frame &frame = search.frames.back();
      NodeId node = frame.node;
      if (frame.next != frame.end) {
        NodeId target = find(*frame.next);
        ++frame.next;
        if (!search.number[target])
          search.enter(target, nodes_[target].targets);
        else if (search.onStack[target])
          search.low[node] = std::min(search.low[node], search.number[target]);
        continue;
      }
      search.frames.pop_back();
      if (!search.frames.empty()) {
        NodeId parent = search.frames.back().node;
        search.low[parent] = std::min(search.low[parent], search.low[node]);
      }
      if (search.low[node] != search.number[node])
        continue;
      for (NodeId member = search.stack.back();; member = search.stack.back()) {
        search.stack.pop_back();
        search.onStack[member] = 0;
        if (member == node)
          break;
        merges.push_back({node, member});
      }
      order.push_back(node);
    }
  }
  // Node 0 has no edges, so the nodes with a meaning of their own (1 to 3) may only be merged into
  // others: find() leads there.
  for (auto [into, from] : merges)
    merge(into, from);
  std::reverse(order.begin(), order.end());
  return order;
}

Solver::Wave Solver::pushDifferences(const std::vector<NodeId> &order) {
  Wave wave;
  for (NodeId node : order) {
    if (!complete())
      break;
    Node &source = nodes_[node];
    reduce(source);
    if (source.pointees.empty() || source.pointees == source.pushed)
      continue;
    LocationSet difference = source.pointees;
    difference.intersectWithComplement(source.pushed);
    source.pushed = source.pointees;
    if (node == find(EscapedNode)) { // what is not opaque escapes now, and goes without saying
      wave.escaping = difference;
      difference &= opaque_;
    }
    spent_ += difference.count() * (1 + source.targets.count());
    for (NodeId target : source.targets)
      if (NodeId leader = find(target); leader != node)
        nodes_[leader].pointees |= difference;
    if (source.others)
      wave.differences.emplace_back(node, std::move(difference));
  }
  return wave;
}

void Solver::applyOthers(NodeId node, const LocationSet &difference) {
  Others others = others_[nodes_[node].others]; // a copy: what follows may add to it
  spent_ += difference.count() * (others.steps.size() + others.loads.size() + others.stores.size());
  applySteps(others, difference);
  applyAccesses(others, difference);
  applyMemoryCopies(node, others, difference);
  for (unsigned call : others.calls)
    for (LocationId location : difference)
      client_.calls(call, memory_.location(location).object);
}

void Solver::solve() {
  do {
    changed_ = false;
    std::vector<NodeId> order = orderAndCollapse();
    Wave wave = pushDifferences(order);
    applyEscapes(wave.escaping);
    for (auto &[node, difference] : wave.differences)
      if (complete())
        applyOthers(node, difference);
    poolLarge();
  } while (changed_ && complete());
  reduceAll();
}

} // namespace gnomon::pointsto
