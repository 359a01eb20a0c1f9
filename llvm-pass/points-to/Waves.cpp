// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The solver's iteration: cycles, topological order, waves of differences; and what is kept of it.
#include "points-to/Solver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace llvm;

namespace gnomon::pointsto {

/// What `from` is copied to is put into `moved`, for as many as come into one node (addTargets).
void Solver::merge(NodeId into, NodeId from, SmallVectorImpl<NodeId> &moved) {
  leader_[from] = into;
  Node &target = nodes_[into];
  Node &source = nodes_[from];
  target.pointees |= source.pointees;
  target.settled = Never;
  if (!source.others) // what `into` has pushed reaches the new targets here
    for (NodeId reached : targets_[from])
      grow(find(reached), target.pushed);
  else
    target.pushed &= source.pushed;
  append_range(moved, targets_[from]);
  if (source.others) {
    Others others = std::move(others_[source.others]);
    Others &kept = othersOf(into);
    kept.steps.append(others.steps.begin(), others.steps.end());
    kept.loads.append(others.loads.begin(), others.loads.end());
    kept.stores.append(others.stores.begin(), others.stores.end());
    kept.storesWithin.append(others.storesWithin.begin(), others.storesWithin.end());
    kept.memoryCopies.append(others.memoryCopies.begin(), others.memoryCopies.end());
    kept.calls.append(others.calls.begin(), others.calls.end());
  }
  source.pointees.clear();
  source.pushed.clear();
  targets_[from].clear();
  source.others = 0;
}

/// A set that grows in its middle moves all that lies behind: one of many targets grows once for all that are added.
void Solver::addTargets(NodeId node, SmallVectorImpl<NodeId> &more) {
  if (!more.empty())
    targets_[node] |= IndexSet::of(more);
  more.clear();
}

/// The components of the graph of copies, each with the node first that was come to first, and
/// after all components that it leads to: Tarjan, "Depth-first search and linear graph algorithms"
/// (1972). LLVM's scc_iterator finds the same in the same order; its hash map from nodes to numbers
/// took a sixth of the pass on HDF5's t_mpi.
class Solver::Cycles {
public:
  explicit Cycles(const Solver &solver) : solver_(solver), numbers_(solver.nodes_.size(), 0) {}

  /// `found` is given each component, in the order of their ends.
  void find(function_ref<void(ArrayRef<NodeId>)> found) {
    for (NodeId node = 0; node < numbers_.size(); ++node)
      if (solver_.leader_[node] == node && !numbers_[node])
        walk(node, found);
  }

private:
  static constexpr uint32_t Done = ~0U;
  struct Visit {
    NodeId node;
    uint32_t least; ///< of the numbers that it leads back to
    IndexSet::const_iterator next, end;
  };

  const Solver &solver_;
  std::vector<uint32_t> numbers_; ///< by node, in the order in which they are come to; 0: not yet
  uint32_t last_ = 0;
  std::vector<Visit> visits_;
  std::vector<NodeId> open_; ///< come to, of components that have not ended

  void enter(NodeId node) {
    numbers_[node] = ++last_;
    open_.push_back(node);
    const IndexSet &targets = solver_.targets_[node];
    visits_.push_back({node, last_, targets.begin(), targets.end()});
  }

  void walk(NodeId start, function_ref<void(ArrayRef<NodeId>)> found) {
    for (enter(start); !visits_.empty();) {
      Visit &visit = visits_.back();
      if (visit.next != visit.end) {
        const NodeId target = solver_.find(*visit.next);
        if (++visit.next; visit.next != visit.end) // where it goes on, behind what this leads to
          __builtin_prefetch(&solver_.leader_[*visit.next]);
        if (numbers_[target]) {
          visit.least = std::min(visit.least, numbers_[target]);
        } else if (solver_.targets_[target].empty()) { // half of all
          numbers_[target] = Done;
          found(target);
        } else {
          enter(target);
        }
        continue;
      }
      const auto [node, least] = std::pair(visit.node, visit.least);
      visits_.pop_back();
      if (!visits_.empty())
        visits_.back().least = std::min(visits_.back().least, least);
      if (least == numbers_[node])
        leave(node, found);
    }
  }

  void leave(NodeId first, function_ref<void(ArrayRef<NodeId>)> found) {
    size_t begin = open_.size();
    do
      numbers_[open_[--begin]] = Done;
    while (open_[begin] != first);
    found(ArrayRef(open_).drop_front(begin));
    open_.resize(begin);
  }
};

/// Merges the nodes of each cycle; the order has each node before those that it is copied to.
std::vector<NodeId> Solver::orderAndCollapse() {
  SmallVector<NodeId, 0> moved;
  const NodeId escaped = find(EscapedNode);
  for (NodeId node : joinEscaped_)
    if (find(node) != escaped)
      merge(escaped, find(node), moved);
  addTargets(escaped, moved);
  joinEscaped_.clear();
  std::vector<NodeId> order;
  std::vector<std::pair<NodeId, NodeId>> merges;
  Cycles(*this).find([&](ArrayRef<NodeId> component) {
    for (NodeId member : reverse(component.drop_front()))
      merges.push_back({component.front(), member});
    order.push_back(component.front());
  });
  // Node 0 has no edges, so the nodes with a meaning of their own (1 to 3) may only be merged into
  // others: find() leads there.
  for (size_t i = 0; i < merges.size(); ++i) {
    const auto [into, from] = merges[i];
    merge(into, from, moved);
    if (i + 1 == merges.size() || merges[i + 1].first != into)
      addTargets(into, moved);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Solver::Wave Solver::pushDifferences(const std::vector<NodeId> &order) {
  Wave wave;
  constexpr size_t Ahead = 8; // nodes, which lie anywhere
  for (auto [place, node] : enumerate(order)) {
    if (!complete())
      break;
    if (place + Ahead < order.size())
      __builtin_prefetch(&nodes_[order[place + Ahead]].settled);
    Node &source = nodes_[node];
    if (isSettled(source))
      continue;
    reduce(source);
    source.settled = source.pointees.holdsZero() ? escapes_ : Always;
    if (source.pointees.empty() || source.pointees == source.pushed)
      continue;
    LocationSet difference = source.pointees;
    difference -= source.pushed;
    source.pushed = source.pointees;
    if (node == find(EscapedNode)) { // what is not opaque escapes now, and goes without saying
      wave.escaping = difference;
      difference &= opaque_;
    }
    const IndexSet &targets = targets_[node];
    spent_ += difference.count() * (1 + targets.count());
    for (NodeId target : targets)
      if (NodeId leader = find(target); leader != node)
        grow(leader, difference);
    if (source.others)
      wave.differences.emplace_back(node, std::move(difference));
  }
  return wave;
}

void Solver::applyOthers(NodeId node, const LocationSet &difference) {
  // Steps, loads and stores make copies and nodes, but none of these.
  const Others &others = others_[nodes_[node].others];
  spent_ += difference.count() * (others.steps.size() + others.loads.size() + others.stores.size() +
                                  others.storesWithin.size());
  for (const Stepping &step : others.steps)
    applyStep(step, difference);
  for (const Access &load : others.loads)
    applyLoad(load, difference);
  for (const Access &store : others.stores)
    applyStore(store, difference);
  for (const StoreWithin &store : others.storesWithin)
    applyStoreWithin(store, difference);
  // What follows may add to them.
  const SmallVector<unsigned, 0> copies(others.memoryCopies), calls(others.calls);
  applyMemoryCopies(node, copies, difference);
  for (unsigned call : calls)
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

/// Most nodes have the same set as many others, which is kept once.
void Solver::keepSolution() {
  DenseMap<uint64_t, SmallVector<uint32_t, 1>> known; // by hash; looked up only
  auto place = [&](LocationSet &set) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(set.chunks().data());
    const size_t length = set.chunks().size() * sizeof(IndexSet::Chunk);
    // Less a bit, so that it is no key that the map has for itself.
    SmallVector<uint32_t, 1> &alike = known[xxh3_64bits({bytes, length}) >> 1];
    for (const uint32_t other : alike)
      if (solution_[other] == set)
        return other;
    alike.push_back(uint32_t(solution_.size()));
    solution_.push_back(std::move(set));
    return alike.back();
  };
  std::vector<uint32_t> places(nodes_.size());
  for (NodeId node = 0; node < nodes_.size(); ++node)
    if (leader_[node] == node)
      places[node] = place(nodes_[node].pointees);
  for (NodeId node = 0; node < nodes_.size(); ++node)
    places[node] = places[find(node)];
  leader_.swap(places);
}

} // namespace gnomon::pointsto
