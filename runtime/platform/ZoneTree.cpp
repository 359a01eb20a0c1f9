// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Composition of routes over nested zones.
#include "platform/ZoneTree.h"

#include "support/Check.h"
#include "support/Error.h"

#include <algorithm>
#include <unordered_set>

namespace gnomon::platform {

namespace {
constexpr uint64_t pairKey(uint32_t from, uint32_t to) { return (uint64_t{from} << 32) | to; }
/// Floyd's table grows with the square and its time with the cube of a zone's points.
constexpr size_t MaxShortestPathPoints = 1024;
} // namespace

ZoneIndex ZoneTree::addZone(ZoneIndex parent, std::string name, Routing routing) {
  auto index = static_cast<ZoneIndex>(zones_.size());
  Zone zone;
  zone.parent = parent;
  zone.routing = routing;
  if (parent != NoIndex) {
    zone.depth = zones_[parent].depth + 1;
    zone.point = addPoint(parent, std::move(name));
    points_[zone.point].zone = index;
  }
  zones_.push_back(std::move(zone));
  return index;
}

PointIndex ZoneTree::addPoint(ZoneIndex zone, std::string name) {
  auto index = static_cast<PointIndex>(points_.size());
  Point point;
  point.name = std::move(name);
  point.parent = zone;
  point.local = static_cast<uint32_t>(zones_[zone].points.size());
  points_.push_back(std::move(point));
  zones_[zone].points.push_back(index);
  return index;
}

PointIndex ZoneTree::addHost(ZoneIndex zone, std::string name) {
  PointIndex index = addPoint(zone, std::move(name));
  hostPoints_.push_back(index);
  return index;
}

PointIndex ZoneTree::addRouter(ZoneIndex zone, std::string name) {
  return addPoint(zone, std::move(name));
}

ZoneTree::LinkSpan ZoneTree::keep(std::span<const LinkIndex> links) {
  LinkSpan span{static_cast<uint32_t>(links_.size()), static_cast<uint32_t>(links.size())};
  links_.insert(links_.end(), links.begin(), links.end());
  return span;
}

void ZoneTree::setStar(PointIndex point, std::span<const LinkIndex> up,
                       std::span<const LinkIndex> down, std::span<const LinkIndex> loopback) {
  Zone &zone = zones_[points_[point].parent];
  if (zone.stars.size() <= points_[point].local)
    zone.stars.resize(points_[point].local + size_t{1});
  zone.stars[points_[point].local] = {keep(up), keep(down), keep(loopback)};
}

bool ZoneTree::addRoute(ZoneIndex zone, PointIndex from, PointIndex to,
                        std::span<const LinkIndex> links, PointIndex gatewayFrom,
                        PointIndex gatewayTo) {
  auto key = pairKey(points_[from].local, points_[to].local);
  return zones_[zone]
      .routes.try_emplace(key, WrittenRoute{keep(links), gatewayFrom, gatewayTo})
      .second;
}

bool ZoneTree::contains(ZoneIndex zone, PointIndex point) const {
  for (ZoneIndex z = points_[point].parent; z != NoIndex; z = zones_[z].parent)
    if (z == zone)
      return true;
  return false;
}

ZoneTree::StarLinks ZoneTree::star(PointIndex point) const {
  const Zone &zone = zones_[points_[point].parent];
  if (points_[point].local >= zone.stars.size())
    return {};
  const Star &star = zone.stars[points_[point].local];
  auto view = [this](LinkSpan span) { return std::span(links_).subspan(span.first, span.count); };
  return {view(star.up), view(star.down), view(star.loopback)};
}

std::vector<ZoneTree::RouteView> ZoneTree::writtenRoutes(ZoneIndex zone) const {
  const Zone &of = zones_[zone];
  std::vector<uint64_t> keys;
  keys.reserve(of.routes.size());
  for (const auto &[key, route] : of.routes)
    keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  std::vector<RouteView> views;
  views.reserve(keys.size());
  for (uint64_t key : keys) {
    const WrittenRoute &route = of.routes.at(key);
    views.push_back({of.points[key >> 32], of.points[key & UINT32_MAX],
                     std::span(links_).subspan(route.links.first, route.links.count),
                     route.gatewayFrom, route.gatewayTo});
  }
  return views;
}

void ZoneTree::route(HostIndex source, HostIndex destination, Route &route) const {
  size_t first = route.links.size();
  between(hostPoints_[source], hostPoints_[destination], route);
  for (size_t i = first; i < route.links.size(); ++i)
    route.latencySeconds += latencies_[route.links[i]];
}

void ZoneTree::between(PointIndex from, PointIndex to, Route &route) const {
  if (points_[from].parent == points_[to].parent)
    withinZone(zones_[points_[from].parent], from, to, route);
  else
    acrossZones(from, to, route);
}

void ZoneTree::append(LinkSpan links, Route &route) const {
  route.links.insert(route.links.end(), links_.begin() + links.first,
                     links_.begin() + links.first + links.count);
}

/// Appends the links that \p route does not hold from \p begin on.
void ZoneTree::appendOnce(LinkSpan links, size_t begin, Route &route) const {
  for (uint32_t i = links.first; i < links.first + links.count; ++i)
    if (std::find(route.links.begin() + static_cast<ptrdiff_t>(begin), route.links.end(),
                  links_[i]) == route.links.end())
      route.links.push_back(links_[i]);
}

const ZoneTree::WrittenRoute *ZoneTree::written(const Zone &zone, PointIndex from,
                                                PointIndex to) const {
  auto found = zone.routes.find(pairKey(points_[from].local, points_[to].local));
  return found == zone.routes.end() ? nullptr : &found->second;
}

void ZoneTree::withinZone(const Zone &zone, PointIndex from, PointIndex to, Route &route) const {
  if (zone.routing == Routing::Computed) {
    zone.topology->route(points_[from].local, points_[to].local, route.links);
    return;
  }
  if (zone.routing == Routing::Star) {
    const Star none;
    auto star = [&](PointIndex point) -> const Star & {
      uint32_t local = points_[point].local;
      return local < zone.stars.size() ? zone.stars[local] : none;
    };
    size_t begin = route.links.size();
    if (from == to && star(from).loopback.count > 0) {
      append(star(from).loopback, route);
      return;
    }
    appendOnce(star(from).up, begin, route);
    appendOnce(star(to).down, begin, route);
    return;
  }
  if (const WrittenRoute *direct = written(zone, from, to);
      direct && (zone.routing == Routing::Full || from == to)) {
    append(direct->links, route);
    return;
  }
  if (from == to)
    return; // the model's loopback
  PointIndex at = NoIndex;
  for (const WrittenRoute *step : path(zone, from, to)) {
    if (at != NoIndex && step->gatewayFrom != NoIndex && at != step->gatewayFrom)
      between(at, step->gatewayFrom, route); // across a zone that the path passes through
    append(step->links, route);
    at = step->gatewayTo;
  }
}

void ZoneTree::acrossZones(PointIndex from, PointIndex to, Route &route) const {
  // Climb to the children of the lowest common zone.
  PointIndex a = from, b = to;
  while (points_[a].parent != points_[b].parent) {
    PointIndex &deeper = zones_[points_[a].parent].depth >= zones_[points_[b].parent].depth ? a : b;
    deeper = zones_[points_[deeper].parent].point;
    CHECK(deeper != NoIndex, "two points of one tree");
  }
  const Zone &common = zones_[points_[a].parent];
  std::vector<const WrittenRoute *> steps;
  PointIndex entry = NoIndex, exit = NoIndex;
  if (common.routing == Routing::Star) {
    entry = points_[a].zone == NoIndex ? NoIndex : zones_[points_[a].zone].defaultGateway;
    exit = points_[b].zone == NoIndex ? NoIndex : zones_[points_[b].zone].defaultGateway;
  } else {
    steps = path(common, a, b);
    entry = steps.front()->gatewayFrom;
    exit = steps.back()->gatewayTo;
  }
  if (a != from) {
    if (entry == NoIndex)
      noRoute(from, to);
    if (entry != from)
      between(from, entry, route);
  }
  withinZone(common, a, b, route);
  if (b != to) {
    if (exit == NoIndex)
      noRoute(from, to);
    if (exit != to)
      between(exit, to, route);
  }
}

/// The written routes from \p from to \p to in a Full or ShortestPath zone, one after another.
std::vector<const ZoneTree::WrittenRoute *> ZoneTree::path(const Zone &zone, PointIndex from,
                                                           PointIndex to) const {
  std::vector<const WrittenRoute *> steps;
  if (zone.routing == Routing::Full) {
    const WrittenRoute *direct = written(zone, from, to);
    if (!direct)
      noRoute(from, to);
    return {direct};
  }
  const size_t n = zone.points.size();
  uint32_t source = points_[from].local;
  for (uint32_t at = points_[to].local; at != source;) {
    uint32_t before = zone.predecessors[source * n + at];
    if (before == NoIndex)
      noRoute(from, to);
    steps.push_back(written(zone, zone.points[before], zone.points[at]));
    at = before;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

void ZoneTree::noRoute(PointIndex from, PointIndex to) const {
  throw InputError(file_, 0,
                   "no route from '" + points_[from].name + "' to '" + points_[to].name + "'");
}

void ZoneTree::finish(std::span<const Link> links, const std::string &file) {
  file_ = file;
  latencies_.reserve(links.size());
  for (const Link &link : links)
    latencies_.push_back(link.latencySeconds);
  for (Zone &zone : zones_)
    if (zone.routing == Routing::ShortestPath)
      computeShortestPaths(zone);
}

void ZoneTree::checkReachable(std::span<const HostIndex> hosts) const {
  std::vector<bool> used(points_.size()); // the points that are or hold one of the hosts
  for (HostIndex host : hosts)
    for (PointIndex point = hostPoints_[host]; point != NoIndex && !used[point];
         point = zones_[points_[point].parent].point)
      used[point] = true;
  for (const Zone &zone : zones_)
    checkZone(zone, used);
}

/// Floyd's algorithm; an edge costs the number of its links. Of equally short paths the first one
/// found stays.
void ZoneTree::computeShortestPaths(Zone &zone) {
  const size_t n = zone.points.size();
  if (n > MaxShortestPathPoints)
    throw InputError(file_, 0,
                     "a zone with shortest-path routing has " + std::to_string(n) +
                         " points; the limit is " + std::to_string(MaxShortestPathPoints));
  std::vector<uint32_t> cost(n * n, NoIndex);
  zone.predecessors.assign(n * n, NoIndex);
  for (const auto &[key, route] : zone.routes) {
    size_t cell = (key >> 32) * n + (key & UINT32_MAX);
    cost[cell] = route.links.count;
    zone.predecessors[cell] = static_cast<uint32_t>(key >> 32);
  }
  for (size_t over = 0; over < n; ++over)
    for (size_t from = 0; from < n; ++from)
      for (size_t to = 0; to < n; ++to) {
        uint64_t sum = uint64_t{cost[from * n + over]} + cost[over * n + to];
        if (cost[from * n + over] == NoIndex || cost[over * n + to] == NoIndex ||
            sum >= cost[from * n + to])
          continue;
        cost[from * n + to] = static_cast<uint32_t>(sum);
        zone.predecessors[from * n + to] = zone.predecessors[over * n + to];
      }
}

bool ZoneTree::hasRoute(const Zone &zone, PointIndex from, PointIndex to) const {
  if (zone.routing == Routing::Star || zone.routing == Routing::Computed || from == to)
    return true;
  if (zone.routing == Routing::Full)
    return written(zone, from, to) != nullptr;
  return zone.predecessors[points_[from].local * zone.points.size() + points_[to].local] != NoIndex;
}

/// Every two used points of a zone must be joined, and used hosts must reach the gateways of the
/// zone they are in.
void ZoneTree::checkZone(const Zone &zone, const std::vector<bool> &used) const {
  if (zone.routing == Routing::Star || zone.routing == Routing::Computed)
    return;
  std::vector<PointIndex> points;
  std::copy_if(zone.points.begin(), zone.points.end(), std::back_inserter(points),
               [&used](PointIndex point) { return used[point]; });
  Route scratch;
  // A zone's way to a gateway is the same for all routes through it.
  std::unordered_set<uint64_t> checked[2];
  auto reaches = [&](PointIndex end, PointIndex gateway, bool outward) {
    if (points_[end].zone == NoIndex || !checked[outward].insert(pairKey(end, gateway)).second)
      return;
    if (gateway == NoIndex)
      noRoute(end, end);
    for (PointIndex inside : zones_[points_[end].zone].points) {
      if (!used[inside] || points_[inside].zone != NoIndex || inside == gateway)
        continue;
      scratch.links.clear();
      outward ? between(inside, gateway, scratch) : between(gateway, inside, scratch);
    }
  };
  for (PointIndex from : points)
    for (PointIndex to : points) {
      if (!hasRoute(zone, from, to))
        noRoute(from, to);
      if (from == to)
        continue;
      std::vector<const WrittenRoute *> steps = path(zone, from, to);
      reaches(from, steps.front()->gatewayFrom, true);
      reaches(to, steps.back()->gatewayTo, false);
    }
}

} // namespace gnomon::platform
