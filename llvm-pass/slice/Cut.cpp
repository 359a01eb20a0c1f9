// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Cut.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <deque>
#include <numeric>
#include <utility>

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

} // namespace

/// The graph that is cut: each node of a point is two, who asks for it and what its value rests on.
class Cutter::Graph {
public:
  /// Takes the edges over: of large programs there are millions.
  Graph(size_t nodes, llvm::ArrayRef<Demands::Point> points, std::vector<Demands::Edge> edges)
      : count_(static_cast<int>(nodes + points.size())), behind_(nodes), arcs_(std::move(edges)) {
    std::iota(behind_.begin(), behind_.end(), 0);
    for (size_t i = 0; i < points.size(); ++i)
      behind_[points[i].node] = static_cast<int>(nodes + i);
    llvm::erase_if(arcs_, [](const Demands::Edge &edge) { return edge.from < 0; });
    for (Demands::Edge &edge : arcs_)
      edge.from = from(edge);
  }

  int count() const { return count_; }
  int behind(int node) const { return behind_[node]; }
  const std::vector<Demands::Edge> &arcs() const { return arcs_; }
  /// Those that lead to one of \p nodes are no more.
  void dropArcsTo(const std::vector<bool> &nodes) {
    llvm::erase_if(arcs_, [&](const Demands::Edge &arc) { return nodes[arc.to]; });
  }

  /// A way through the point's value.
  void joinPoint(int node) {
    arcs_.push_back({node, static_cast<unsigned>(behind_[node]), Demands::Through::All});
  }
  /// The last \p count of these are no more.
  void partPoints(size_t count) {
    arcs_.erase(arcs_.end() - static_cast<std::ptrdiff_t>(count), arcs_.end());
  }

  /// The arcs by the node that they leave from, or lead to: of n, next[begin[n]] to next[begin[n + 1]].
  struct Ways {
    std::vector<int> begin, next;
  };
  Ways ways(bool backwards) const {
    std::vector<int> begin(count_ + 2, 0), next(arcs_.size());
    auto tail = [&](const Demands::Edge &arc) {
      return backwards ? static_cast<int>(arc.to) : arc.from;
    };
    for (const Demands::Edge &arc : arcs_)
      ++begin[tail(arc) + 2];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const Demands::Edge &arc : arcs_)
      next[begin[tail(arc) + 1]++] = backwards ? arc.from : static_cast<int>(arc.to);
    return {std::move(begin), std::move(next)};
  }

  /// What \p starts lead to.
  std::vector<bool> reached(const std::vector<int> &starts, const Ways &ways) const {
    const auto &[begin, next] = ways;
    std::vector<bool> found(count_, false);
    std::vector<int> work;
    auto visit = [&](int node) {
      if (!found[node])
        work.push_back(node);
      found[node] = true;
    };
    for (int node : starts)
      visit(node);
    while (!work.empty()) {
      const int node = work.back();
      work.pop_back();
      for (int i = begin[node]; i < begin[node + 1]; ++i)
        visit(next[i]);
    }
    return found;
  }

  /// Which of \p starts, of at most 64 lists, lead to each node: a bit each. Only nodes in \p within are visited.
  std::vector<uint64_t> reachedFrom(llvm::ArrayRef<llvm::ArrayRef<int>> starts, const Ways &ways,
                                    const std::vector<bool> &within) const {
    const auto &[begin, next] = ways;
    std::vector<uint64_t> found(count_, 0);
    std::vector<bool> waits(count_, false);
    std::deque<int> work;
    auto visit = [&](int node, uint64_t bits) {
      if (!within[node] || !(bits & ~found[node]))
        return;
      found[node] |= bits;
      if (!waits[node])
        work.push_back(node);
      waits[node] = true;
    };
    for (size_t i = 0; i < starts.size(); ++i)
      for (int start : starts[i])
        visit(start, uint64_t{1} << i);
    while (!work.empty()) {
      const int node = work.front();
      work.pop_front();
      waits[node] = false;
      for (int i = begin[node]; i < begin[node + 1]; ++i)
        visit(next[i], found[node]);
    }
    return found;
  }

private:
  /// What must be whether a point is given or not leaves from the first of its nodes.
  int from(const Demands::Edge &edge) const {
    return edge.through == Demands::Through::PassingOnly ? edge.from : behind_[edge.from];
  }

  int count_;
  std::vector<int> behind_; ///< of a node, the one that its value's edges leave from
  std::vector<Demands::Edge> arcs_;
};

Cutter::Cutter(Demands demands)
    : points_(std::move(demands.points)), firstBehind_(static_cast<int>(demands.nodes)) {
  for (const Demands::Edge &edge : demands.edges)
    if (edge.from < 0)
      roots_.push_back(edge.to);
  graph_ = std::make_unique<Graph>(demands.nodes, points_, std::move(demands.edges));
}

Cutter::~Cutter() = default;

std::optional<std::vector<const void *>>
Cutter::cheapest(llvm::ArrayRef<int> unwanted, llvm::function_ref<uint64_t(const void *)> cost) {
  Graph &graph = *graph_;
  std::vector<int> ends;
  for (int node : unwanted)
    ends.push_back(graph.behind(node));
  // Whatever is reached without a point belongs to a root, and what leads to an end without one to that: what is left
  // between is small.
  if (early_.empty()) {
    early_ = graph.reached(roots_, graph.ways(/*backwards=*/false));
    graph.dropArcsTo(early_); // an end to which such an arc leads cannot be cut off
  }
  const std::vector<bool> &early = early_,
                          late = graph.reached(ends, graph.ways(/*backwards=*/true));
  const int source = graph.count(), sink = source + 1;
  auto place = [&](int node) { return early[node] ? source : late[node] ? sink : node; };
  for (int node = 0; node < graph.count(); ++node)
    if (early[node] && late[node])
      return std::nullopt;
  Network network(static_cast<size_t>(graph.count()) + 2);
  const int points = static_cast<int>(points_.size());
  auto carries = [&](int tail, int head) { return tail != head && tail != sink; };
  for (int i = 0; i < points; ++i)
    if (const int tail = place(points_[i].node), head = place(firstBehind_ + i);
        carries(tail, head))
      network.addArc(tail, head, std::min(cost(points_[i].item), Infinite - 1));
  for (const Demands::Edge &arc : graph.arcs())
    if (const int tail = place(arc.from), head = place(static_cast<int>(arc.to));
        carries(tail, head))
      network.addArc(tail, head, Infinite);
  if (!network.saturate(source, sink))
    return std::nullopt;
  llvm::SetVector<const void *, std::vector<const void *>> cut;
  for (int i = 0; i < points; ++i)
    if (network.isBefore(place(points_[i].node)) && !network.isBefore(place(firstBehind_ + i)))
      cut.insert(points_[i].item);
  return cut.takeVector();
}

std::vector<std::vector<size_t>> Cutter::restOn(llvm::ArrayRef<const void *> points,
                                                llvm::ArrayRef<int> ends) {
  llvm::DenseMap<const void *, llvm::SmallVector<int, 2>> behind; // of points
  const llvm::DenseSet<const void *> given(points.begin(), points.end());
  size_t joined = 0;
  for (const Demands::Point &point : points_)
    if (given.contains(point.item)) {
      behind[point.item].push_back(graph_->behind(point.node));
    } else {
      graph_->joinPoint(point.node);
      ++joined;
    }
  std::vector<int> last;
  for (int node : ends)
    last.push_back(graph_->behind(node));
  const Graph::Ways ways = graph_->ways(/*backwards=*/false);
  const std::vector<bool> within = graph_->reached(last, graph_->ways(/*backwards=*/true));
  constexpr size_t AtOnce = 64;
  std::vector<std::vector<size_t>> all(points.size());
  for (size_t first = 0; first < points.size(); first += AtOnce) {
    const llvm::ArrayRef<const void *> now = points.slice(first).take_front(AtOnce);
    std::vector<llvm::ArrayRef<int>> starts;
    for (const void *point : now)
      if (const auto place = behind.find(point); place != behind.end())
        starts.emplace_back(place->second);
      else
        starts.emplace_back();
    const std::vector<uint64_t> found = graph_->reachedFrom(starts, ways, within);
    for (size_t end = 0; end < last.size(); ++end)
      for (size_t i = 0; i < now.size(); ++i)
        if (found[last[end]] >> i & 1)
          all[first + i].push_back(end);
  }
  graph_->partPoints(joined);
  return all;
}

} // namespace gnomon
