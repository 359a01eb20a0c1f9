// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A zone with written routes, as a graph: its items are hosts, routers, the zones inside and,
/// where there are many, groups of those; its edges are routes. A tree is drawn as one, from the
/// item with most neighbours; every other graph on a ring, so that no line crosses an item; and
/// what has too many lines to follow in rows, without them.
#include "draw/Drawing.h"
#include "draw/Quantities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <tuple>

namespace gnomon::draw {
namespace {

using namespace platform;

constexpr size_t MostItems = 24, MostLines = 45, MostLabels = 18;
constexpr size_t MostClear = 10;    ///< items of a ring that is wide enough for all lines
constexpr size_t MostFullZones = 4; ///< more zones than this are drawn briefly
constexpr uint32_t MostNesting = 3; ///< zones deeper than this, too
constexpr double Gap = 100;         ///< between items, for the labels of lines

struct Item {
  Figure figure;
  Spot middle;
  std::vector<size_t> neighbours;
  size_t turn = 0; ///< its place on the ring
};

struct Edge {
  size_t a, b;
  size_t links = 0;
  double latencySeconds = 0, bandwidth = __builtin_huge_val();
};

class Graph {
public:
  Graph(const Source &source, ZoneIndex zone) : source_(source), zone_(zone) {}
  Figure draw();

private:
  void findItems();
  void addItem(Figure figure, std::span<const PointIndex> points);
  void addGroups(std::span<const PointIndex> hosts, std::span<const PointIndex> zones);
  void findEdges();
  bool isTree() const;
  void placeTree();
  double slotWidth(size_t item) const;
  double treeWidth(size_t item, size_t from) const;
  void placeSubtree(size_t item, size_t from, double x, double y, double direction);
  double rowHeight(const std::vector<size_t> &items) const;
  size_t eccentricity(size_t item) const;
  void walk(size_t item, std::vector<size_t> &order) const;
  void placeRing();
  void placeRows();
  bool allEqual() const;
  void drawEdges(bool ring);
  void labelEdge(const Edge &edge, Spot place);
  void finish();
  Spot size(size_t item) const { return {items_[item].figure.width, items_[item].figure.height}; }

  const Source &source_;
  ZoneIndex zone_;
  std::vector<Item> items_;
  std::map<PointIndex, size_t> itemOf_;
  std::vector<Edge> edges_;
  size_t routes_ = 0;
  std::string remark_;
  Figure figure_;
};

void Graph::addItem(Figure figure, std::span<const PointIndex> points) {
  for (PointIndex point : points)
    itemOf_[point] = items_.size();
  items_.push_back({std::move(figure), {}, {}});
}

std::string describe(const Edge &edge) {
  return formatBandwidth(edge.bandwidth) + ", " + formatSeconds(edge.latencySeconds);
}

Figure single(const Source &source, PointIndex point) {
  Figure figure;
  const std::string name = shortened(source.zones.name(point));
  figure.width = std::max(HostWidth, textWidth(name));
  figure.height = HostHeight + 16;
  const Spot middle{figure.width / 2, HostHeight / 2};
  if (source.hostAt[point] != NoIndex) {
    figure.host(middle, name);
  } else {
    figure.disc(middle, 9);
    figure.text(Look::Label, middle + Spot{0, 21}, name);
  }
  return figure;
}

/// Many hosts as one item for each speed and number of cores, many zones as one for each routing.
void Graph::addGroups(std::span<const PointIndex> hosts, std::span<const PointIndex> zones) {
  auto stack = [](const std::vector<std::string> &lines) {
    Figure figure;
    figure.width = 200;
    figure.height = HostHeight + 10 + TextHeight * static_cast<double>(lines.size());
    figure.hosts({100, HostHeight / 2 + 6}, lines);
    return figure;
  };
  std::map<std::pair<double, uint32_t>, std::vector<PointIndex>> equal;
  for (PointIndex point : hosts) {
    const Host &host = source_.platform.hosts()[source_.hostAt[point]];
    equal[{host.speedFlops, host.cores}].push_back(point);
  }
  for (const auto &[key, points] : equal)
    addItem(stack({formatCount(points.size()) + " hosts, " +
                       hostFigures(source_.platform.hosts()[source_.hostAt[points.front()]]),
                   namesFromTo(source_, source_.hostAt[points.front()],
                               source_.hostAt[points.back()])}),
            points);
  std::map<std::string, std::vector<PointIndex>> alike;
  for (PointIndex point : zones)
    alike[source_.outline.zones[source_.zones.zoneAt(point)].routing].push_back(point);
  for (const auto &[routing, points] : alike)
    addItem(stack({formatCount(points.size()) + " zones (" + routing + ")",
                   shortened(source_.zones.name(points.front()), 15) + " … " +
                       shortened(source_.zones.name(points.back()), 15)}),
            points);
}

void Graph::findItems() {
  std::vector<PointIndex> hosts, zones, routers;
  for (PointIndex point : source_.zones.points(zone_))
    (source_.zones.zoneAt(point) != NoIndex ? zones
     : source_.hostAt[point] != NoIndex     ? hosts
                                            : routers)
        .push_back(point);
  uint32_t depth = 0;
  for (ZoneIndex z = zone_; source_.zones.parentOf(z) != NoIndex; z = source_.zones.parentOf(z))
    ++depth;
  const bool groupHosts = hosts.size() + zones.size() + routers.size() > MostItems;
  const bool groupZones = zones.size() + routers.size() > MostItems;
  if (!groupZones)
    for (PointIndex point : zones)
      addItem(drawZone(source_, source_.zones.zoneAt(point),
                       zones.size() > MostFullZones || depth >= MostNesting),
              std::span(&point, 1));
  if (!groupHosts)
    for (PointIndex point : hosts)
      addItem(single(source_, point), std::span(&point, 1));
  addGroups(groupHosts ? std::span(hosts) : std::span<PointIndex>(),
            groupZones ? std::span(zones) : std::span<PointIndex>());
  if (routers.size() > MostItems)
    addItem(Figure(), routers), remark_ = formatCount(routers.size()) + " routers are not drawn";
  else
    for (PointIndex point : routers)
      addItem(single(source_, point), std::span(&point, 1));
}

void Graph::findEdges() {
  std::map<std::pair<size_t, size_t>, size_t> known;
  for (const ZoneTree::RouteView &route : source_.zones.writtenRoutes(zone_)) {
    if (route.bypass)
      continue; // it may begin and end anywhere below
    const size_t a = itemOf_.at(route.from), b = itemOf_.at(route.to);
    ++routes_;
    if (a == b || !known.try_emplace(std::minmax(a, b), edges_.size()).second)
      continue;
    Edge edge{a, b};
    edge.links = route.links.size();
    for (LinkIndex link : route.links) {
      edge.latencySeconds += source_.link(link).latencySeconds;
      edge.bandwidth = std::min(edge.bandwidth, source_.link(link).bandwidth);
    }
    edges_.push_back(edge);
    items_[a].neighbours.push_back(b);
    items_[b].neighbours.push_back(a);
  }
}

bool Graph::isTree() const {
  if (edges_.size() + 1 != items_.size())
    return false;
  std::vector<bool> reached(items_.size());
  std::vector<size_t> todo{0};
  reached[0] = true;
  for (size_t i = 0; i < todo.size(); ++i)
    for (size_t next : items_[todo[i]].neighbours)
      if (!reached[next]) {
        reached[next] = true;
        todo.push_back(next);
      }
  return todo.size() == items_.size();
}

/// What an item takes of its row, with the label of its line.
double Graph::slotWidth(size_t item) const {
  const bool labelled = edges_.size() <= MostLabels && !(edges_.size() > 4 && allEqual());
  constexpr double LabelWidth = 130;
  return std::max(size(item).x + Gap / 3, labelled ? LabelWidth : 0);
}

double Graph::treeWidth(size_t item, size_t from) const {
  double below = 0;
  for (size_t next : items_[item].neighbours)
    if (next != from)
      below += treeWidth(next, item);
  return std::max(slotWidth(item), below);
}

double Graph::rowHeight(const std::vector<size_t> &items) const {
  double height = 0;
  for (size_t item : items)
    height = std::max(height, size(item).y);
  return height;
}

/// \p x is the left edge of what the subtree may take; \p y the edge of its first item that looks
/// towards the root; \p direction 1: downwards, -1: upwards.
void Graph::placeSubtree(size_t item, size_t from, double x, double y, double direction) {
  items_[item].middle = {x + treeWidth(item, from) / 2, y + direction * size(item).y / 2};
  for (size_t next : items_[item].neighbours) {
    if (next == from)
      continue;
    placeSubtree(next, item, x, y + direction * (size(item).y + Gap), direction);
    x += treeWidth(next, item);
  }
}

void Graph::placeTree() {
  // The root is what is in the middle, and of two such items the one with more neighbours.
  size_t root = 0;
  auto rank = [this](size_t item) {
    return std::pair(eccentricity(item), items_.size() - items_[item].neighbours.size());
  };
  for (size_t item = 1; item < items_.size(); ++item)
    if (rank(item) < rank(root))
      root = item;
  const std::vector<size_t> &children = items_[root].neighbours;
  // A wide tree hangs to both sides of its root.
  const size_t below = children.size() > 4 ? children.size() / 2 : children.size();
  double widths[2] = {};
  for (size_t i = 0; i < children.size(); ++i)
    widths[i < below ? 0 : 1] += treeWidth(children[i], root);
  const double width = std::max({widths[0], widths[1], size(root).x});
  items_[root].middle = {width / 2, 0};
  double x[2] = {(width - widths[0]) / 2, (width - widths[1]) / 2};
  for (size_t i = 0; i < children.size(); ++i) {
    const size_t side = i < below ? 0 : 1;
    const double direction = side == 0 ? 1 : -1;
    placeSubtree(children[i], root, x[side], direction * (size(root).y / 2 + Gap), direction);
    x[side] += treeWidth(children[i], root);
  }
}

/// How many lines the farthest item of a tree is away.
size_t Graph::eccentricity(size_t item) const {
  std::vector<size_t> distance(items_.size(), SIZE_MAX), todo{item};
  distance[item] = 0;
  for (size_t i = 0; i < todo.size(); ++i)
    for (size_t next : items_[todo[i]].neighbours)
      if (distance[next] == SIZE_MAX) {
        distance[next] = distance[todo[i]] + 1;
        todo.push_back(next);
      }
  return distance[todo.back()];
}

/// Appends \p item and what it leads to, those with few neighbours first: neighbours come to stand
/// beside each other.
void Graph::walk(size_t item, std::vector<size_t> &order) const {
  order.push_back(item);
  std::vector<size_t> neighbours = items_[item].neighbours;
  std::ranges::sort(neighbours, {},
                    [this](size_t n) { return std::pair(items_[n].neighbours.size(), n); });
  for (size_t next : neighbours)
    if (std::ranges::count(order, next) == 0)
      walk(next, order);
}

void Graph::placeRing() {
  std::vector<size_t> order;
  for (size_t i = 0; i < items_.size(); ++i)
    if (std::ranges::count(order, i) == 0)
      walk(i, order);
  for (size_t i = 0; i < order.size(); ++i)
    items_[order[i]].turn = i;
  const auto count = static_cast<double>(items_.size());
  double largest = 0;
  for (size_t i = 0; i < items_.size(); ++i)
    largest = std::max(largest, std::hypot(size(i).x, size(i).y));
  double radius = (largest + Gap) / 2 / std::sin(std::numbers::pi / count);
  if (items_.size() > 4 && items_.size() <= MostClear) // lines to the next but one go past an item
    radius = std::max(radius, largest * 0.55 / (1 - std::cos(2 * std::numbers::pi / count)));
  for (size_t i = 0; i < items_.size(); ++i) {
    const double turn = items_.size() == 4 ? 0.125 : 0;
    const double angle =
        2 * std::numbers::pi * (static_cast<double>(items_[i].turn) / count - turn);
    items_[i].middle = Spot{std::sin(angle), -std::cos(angle)} * radius;
  }
}

void Graph::placeRows() {
  const auto columns =
      static_cast<size_t>(std::ceil(std::sqrt(static_cast<double>(items_.size()))));
  double y = 0;
  for (size_t first = 0; first < items_.size(); first += columns) {
    std::vector<size_t> row;
    for (size_t i = first; i < std::min(items_.size(), first + columns); ++i)
      row.push_back(i);
    double x = 0;
    for (size_t i : row) {
      items_[i].middle = {x + size(i).x / 2, y + size(i).y / 2};
      x += size(i).x + Gap / 3;
    }
    y += rowHeight(row) + Gap / 3;
  }
}

void Graph::labelEdge(const Edge &edge, Spot place) {
  figure_.lineText(place + Spot{0, edge.links > 1 ? -3.0 : 4.0}, describe(edge));
  if (edge.links > 1)
    figure_.lineText(place + Spot{0, -3 + TextHeight}, fmt::format("over {} links", edge.links));
}

/// Whether one label will do.
bool Graph::allEqual() const {
  auto figures = [](const Edge &edge) {
    return std::tuple(edge.bandwidth, edge.latencySeconds, edge.links);
  };
  return std::ranges::all_of(
      edges_, [&](const Edge &edge) { return figures(edge) == figures(edges_.front()); });
}

void Graph::drawEdges(bool ring) {
  const bool once = edges_.size() > 4 && allEqual();
  if (once)
    remark_ =
        "each line: " + describe(edges_.front()) +
        (edges_.front().links > 1 ? fmt::format(", over {} links", edges_.front().links) : "");
  for (const Edge &edge : edges_) {
    const Spot a = items_[edge.a].middle, b = items_[edge.b].middle;
    Spot from = border(a, size(edge.a), b), to = border(b, size(edge.b), a);
    // On a ring, lines through its middle have their labels where they do not meet.
    const auto [first, second] = std::minmax(items_[edge.a].turn, items_[edge.b].turn);
    const size_t distance = second - first;
    const bool beside = distance == 1 || distance + 1 == items_.size();
    double along = beside ? 0.5 : first % 2 == 0 ? 0.25 : 0.75;
    if (!ring) { // from the edge of one row to that of the next, labelled at the outer one
      const double down = b.y > a.y ? 1 : -1;
      from = a + Spot{0, down * size(edge.a).y / 2};
      to = b - Spot{0, down * size(edge.b).y / 2};
      along = std::abs(b.y) > std::abs(a.y) ? 0.72 : 0.28; // the root is at 0
    }
    figure_.line(Look::Cable, from, to, strokeWidth(edge.bandwidth));
    if (!once && edges_.size() <= MostLabels)
      labelEdge(edge, from * (1 - along) + to * along);
  }
}

/// Places the items and moves everything so that it begins at (0, 0).
void Graph::finish() {
  Spot least{0, 0}, most{0, 0};
  for (size_t i = 0; i < items_.size(); ++i) {
    const Spot corner = items_[i].middle - size(i) * 0.5, end = corner + size(i);
    least = i == 0 ? corner : Spot{std::min(least.x, corner.x), std::min(least.y, corner.y)};
    most = i == 0 ? end : Spot{std::max(most.x, end.x), std::max(most.y, end.y)};
    figure_.place(items_[i].figure, corner);
  }
  // Labels of lines at the side.
  constexpr double Side = 40;
  figure_.width = figure_.height = 0;
  Figure moved;
  moved.place(figure_, Spot{Side, 0} - least);
  moved.width = most.x - least.x + 2 * Side;
  moved.height = most.y - least.y;
  if (!remark_.empty()) {
    moved.width = std::max(moved.width, textWidth(remark_) + 10);
    moved.text(Look::Label, {moved.width / 2, moved.height + TextHeight + 4}, remark_);
    moved.height += TextHeight + 8;
  }
  figure_ = std::move(moved);
}

Figure Graph::draw() {
  findItems();
  findEdges();
  if (items_.size() > MostItems || edges_.size() > MostLines || edges_.empty()) {
    placeRows();
    if (source_.zones.routing(zone_) == Routing::Vivaldi)
      remark_ = "latencies: distances between coordinates";
    if (routes_ > 0 && !edges_.empty())
      remark_ = formatCount(routes_) + " routes are written between these";
    else if (routes_ > 0)
      remark_ = formatCount(routes_) + " routes are written among these";
  } else if (isTree()) {
    placeTree();
    drawEdges(false);
  } else {
    placeRing();
    drawEdges(true);
  }
  finish();
  return std::move(figure_);
}

} // namespace

Figure drawGraph(const Source &source, ZoneIndex zone) { return Graph(source, zone).draw(); }

} // namespace gnomon::draw
