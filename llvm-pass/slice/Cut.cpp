// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Cut.h"

#include <algorithm>
#include <limits>

namespace gnomon {
namespace {

constexpr uint64_t Infinite = uint64_t{1} << 50;

/// A flow from `source` to `sink`. Each arc lies beside its reverse, at an index that differs in the last bit.
class Network {
public:
  explicit Network(size_t nodes) : first_(nodes, -1) {}

  void addArc(int from, int to, uint64_t capacity) {
    add(from, to, capacity);
    add(to, from, 0);
  }

  /// False when the flow has no bound.
  bool saturate(int source, int sink) {
    uint64_t flow = 0;
    while (findLevels(source, sink)) {
      now_ = first_;
      while (const uint64_t more = push(source, sink))
        if ((flow += more) >= Infinite)
          return false;
    }
    return true;
  }

  /// After that: whether the node is on the source's side of the cut.
  bool isBefore(int node) const { return level_[node] >= 0; }

private:
  struct Arc {
    int to, next;
    uint64_t rest;
  };

  void add(int from, int to, uint64_t capacity) {
    arcs_.push_back({to, first_[from], capacity});
    first_[from] = static_cast<int>(arcs_.size()) - 1;
  }

  /// The distances from the source along arcs with room; whether the sink has one.
  bool findLevels(int source, int sink) {
    level_.assign(first_.size(), -1);
    level_[source] = 0;
    std::vector<int> queue{source};
    for (size_t i = 0; i < queue.size(); ++i)
      for (int arc = first_[queue[i]]; arc >= 0; arc = arcs_[arc].next)
        if (arcs_[arc].rest && level_[arcs_[arc].to] < 0) {
          level_[arcs_[arc].to] = level_[queue[i]] + 1;
          queue.push_back(arcs_[arc].to);
        }
    return level_[sink] >= 0;
  }

  /// One way more in the layers; how much went along it.
  uint64_t push(int source, int sink) {
    std::vector<int> way; // arcs
    for (int node = source; node != sink;) {
      int &arc = now_[node];
      while (arc >= 0 && !(arcs_[arc].rest && level_[arcs_[arc].to] == level_[node] + 1))
        arc = arcs_[arc].next;
      if (arc >= 0) {
        way.push_back(arc);
        node = arcs_[arc].to;
      } else if (way.empty()) {
        return 0;
      } else { // A dead end: its arc is done with.
        node = arcs_[way.back() ^ 1].to;
        now_[node] = arcs_[way.back()].next;
        way.pop_back();
      }
    }
    uint64_t most = Infinite;
    for (int arc : way)
      most = std::min(most, arcs_[arc].rest);
    for (int arc : way) {
      if (arcs_[arc].rest < Infinite)
        arcs_[arc].rest -= most;
      if (arcs_[arc ^ 1].rest < Infinite)
        arcs_[arc ^ 1].rest += most;
    }
    return most;
  }

  std::vector<Arc> arcs_;
  std::vector<int> first_, now_, level_;
};

/// The nodes from which an unwanted one is reached: all others are out of the question.
std::vector<bool> leadTo(const std::vector<int> &unwanted, const Demands &demands) {
  std::vector<int> begin(demands.nodes + 1, 0), from(demands.edges.size());
  for (const Demands::Edge &edge : demands.edges)
    ++begin[edge.to];
  for (size_t node = 0, sum = 0; node <= demands.nodes; ++node)
    sum += std::exchange(begin[node], static_cast<int>(sum));
  std::vector<int> place = begin;
  for (const Demands::Edge &edge : demands.edges)
    from[place[edge.to]++] = edge.from;
  std::vector<bool> found(demands.nodes, false);
  std::vector<int> work;
  auto visit = [&](int node) {
    if (node >= 0 && !found[node]) {
      found[node] = true;
      work.push_back(node);
    }
  };
  for (int node : unwanted)
    visit(node);
  while (!work.empty()) {
    const int node = work.back();
    work.pop_back();
    for (int i = begin[node]; i < place[node]; ++i)
      visit(from[i]);
  }
  return found;
}

} // namespace

std::optional<std::vector<const void *>>
cheapestCut(const Demands &demands, const std::vector<int> &unwanted,
            llvm::function_ref<uint64_t(const void *)> cost) {
  // A point is two nodes: who asks for it, and what its value rests on. What must be anyhow leaves from the first.
  const int count = static_cast<int>(demands.nodes),
            points = static_cast<int>(demands.points.size());
  const int source = count + points, sink = source + 1;
  const std::vector<bool> leads = leadTo(unwanted, demands);
  std::vector<int> behind(demands.nodes);
  for (int node = 0; node < count; ++node)
    behind[node] = node;
  Network network(demands.nodes + demands.points.size() + 2);
  for (int i = 0; i < points; ++i) {
    const Demands::Point &point = demands.points[i];
    behind[point.node] = count + i;
    if (leads[point.node])
      network.addArc(point.node, count + i, std::min(cost(point.item), Infinite - 1));
  }
  for (const Demands::Edge &edge : demands.edges) {
    if (!leads[edge.to])
      continue;
    const bool always = edge.through == Demands::Through::PassingOnly;
    const int from = edge.from < 0 ? source : always ? edge.from : behind[edge.from];
    network.addArc(from, edge.to, Infinite);
  }
  for (int node : unwanted)
    network.addArc(behind[node], sink, Infinite);
  if (!network.saturate(source, sink))
    return std::nullopt;
  std::vector<const void *> cut;
  for (int i = 0; i < points; ++i)
    if (network.isBefore(demands.points[i].node) && !network.isBefore(count + i))
      cut.push_back(demands.points[i].item);
  return cut;
}

} // namespace gnomon
