// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The solver's iteration: cycles, topological order, waves of differences.
#include "points-to/Solver.h"

#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

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

/// The copies between nodes as a graph: a node's successors are the leaders of its targets. In front
/// of all nodes stands one that leads to each leader, in their order.
struct Solver::CopyGraph {
  struct Node {
    const CopyGraph *graph = nullptr;
    NodeId id = 0;
    bool operator==(const Node &other) const { return id == other.id; }
  };

  /// SparseBitVector's iterator lacks what mapped_iterator asks for.
  class Successors : public iterator_facade_base<Successors, std::forward_iterator_tag, Node,
                                                 std::ptrdiff_t, const Node *, Node> {
  public:
    Successors(SparseBitVector<>::iterator at, const CopyGraph *graph) : at_(at), graph_(graph) {}
    bool operator==(const Successors &other) const { return at_ == other.at_; }
    Node operator*() const { return {graph_, graph_->solver.find(*at_)}; }
    using iterator_facade_base::operator++;
    Successors &operator++() {
      ++at_;
      return *this;
    }

  private:
    SparseBitVector<>::iterator at_;
    const CopyGraph *graph_;
  };

  const Solver &solver;
  SparseBitVector<> leaders;

  explicit CopyGraph(const Solver &solver) : solver(solver) {
    for (NodeId node = 0; node < solver.nodes_.size(); ++node)
      if (solver.leader_[node] == node)
        leaders.set(node);
  }

  Node front() const { return {this, NodeId(solver.nodes_.size())}; }
  const SparseBitVector<> &targets(NodeId node) const {
    return node == solver.nodes_.size() ? leaders : solver.nodes_[node].targets;
  }
};

} // namespace gnomon::pointsto

namespace llvm {

template <> struct GraphTraits<const gnomon::pointsto::Solver::CopyGraph *> {
  using Graph = gnomon::pointsto::Solver::CopyGraph;
  using NodeRef = Graph::Node;
  using ChildIteratorType = Graph::Successors;
  static NodeRef getEntryNode(const Graph *graph) { return graph->front(); }
  static ChildIteratorType child_begin(NodeRef node) {
    return {node.graph->targets(node.id).begin(), node.graph};
  }
  static ChildIteratorType child_end(NodeRef node) {
    return {node.graph->targets(node.id).end(), node.graph};
  }
};

template <> struct DenseMapInfo<gnomon::pointsto::Solver::CopyGraph::Node> {
  using Node = gnomon::pointsto::Solver::CopyGraph::Node;
  static Node getEmptyKey() { return {nullptr, ~0U}; }
  static Node getTombstoneKey() { return {nullptr, ~0U - 1}; }
  static unsigned getHashValue(const Node &node) {
    return DenseMapInfo<unsigned>::getHashValue(node.id);
  }
  static bool isEqual(const Node &a, const Node &b) { return a == b; }
};

} // namespace llvm

namespace gnomon::pointsto {

/// Merges the nodes of each cycle; the order has each node before those that it is copied to.
std::vector<NodeId> Solver::orderAndCollapse() {
  for (NodeId node : joinEscaped_)
    if (find(node) != find(EscapedNode))
      merge(find(EscapedNode), find(node));
  joinEscaped_.clear();
  std::vector<NodeId> order;
  std::vector<std::pair<NodeId, NodeId>> merges;
  const CopyGraph graph(*this);
  for (auto cycle = scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
    NodeId first = cycle->back().id; // of a cycle the node that was come to first
    if (cycle->back() == graph.front())
      break;
    for (const CopyGraph::Node &member : ArrayRef(*cycle).drop_back())
      merges.push_back({first, member.id});
    order.push_back(first);
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
    client_.calls(call, difference);
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
