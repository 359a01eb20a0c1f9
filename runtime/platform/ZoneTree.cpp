// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Composition of routes over nested zones.
#include "platform/ZoneTree.h"

#include "support/Check.h"
#include "support/Error.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gnomon::platform {

namespace {
constexpr uint64_t pairKey(uint32_t from, uint32_t to) { return (uint64_t{from} << 32) | to; }
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

PointIndex ZoneTree::addPoint(ZoneIndex zone, Name name) {
  auto index = static_cast<PointIndex>(points_.size());
  Point point;
  point.name = std::move(name);
  point.parent = zone;
  point.local = static_cast<uint32_t>(zones_[zone].points.size());
  points_.push_back(std::move(point));
  zones_[zone].points.push_back(index);
  return index;
}

PointIndex ZoneTree::addHost(ZoneIndex zone, Name name) {
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

bool ZoneTree::addBypass(ZoneIndex zone, PointIndex from, PointIndex to,
                         std::span<const LinkIndex> links, PointIndex gatewayFrom,
                         PointIndex gatewayTo) {
  return zones_[zone]
      .bypasses.try_emplace(pairKey(from, to), WrittenRoute{keep(links), gatewayFrom, gatewayTo})
      .second;
}

bool ZoneTree::contains(ZoneIndex zone, PointIndex point) const {
  for (ZoneIndex z = points_[point].parent; z != NoIndex; z = zones_[z].parent)
    if (z == zone)
      return true;
  return false;
}

HostIndex ZoneTree::hostAt(PointIndex point) const {
  auto found = std::lower_bound(hostPoints_.begin(), hostPoints_.end(), point);
  if (found == hostPoints_.end() || *found != point)
    return NoIndex;
  return static_cast<HostIndex>(found - hostPoints_.begin());
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
  std::vector<RouteView> views;
  auto add = [&](const WrittenRoute &route, PointIndex from, PointIndex to, bool bypass) {
    views.push_back({from, to, std::span(links_).subspan(route.links.first, route.links.count),
                     route.gatewayFrom, route.gatewayTo, bypass});
  };
  const Zone &of = zones_[zone];
  for (const auto &[key, route] : of.routes)
    add(route, of.points[key >> 32], of.points[key & UINT32_MAX], false);
  for (const auto &[key, route] : of.bypasses)
    add(route, static_cast<PointIndex>(key >> 32), static_cast<PointIndex>(key), true);
  std::sort(views.begin(), views.end(), [](const RouteView &a, const RouteView &b) {
    return std::tie(a.bypass, a.from, a.to) < std::tie(b.bypass, b.from, b.to);
  });
  return views;
}

ZoneIndex ZoneTree::commonZone(PointIndex a, PointIndex b) const {
  ZoneIndex first = points_[a].parent, second = points_[b].parent;
  while (first != second) {
    ZoneIndex &deeper = zones_[first].depth >= zones_[second].depth ? first : second;
    deeper = zones_[deeper].parent;
    CHECK(deeper != NoIndex, "two points of one tree");
  }
  return first;
}

/// The point directly in \p zone that is \p point or holds it.
PointIndex ZoneTree::childOf(ZoneIndex zone, PointIndex point) const {
  while (points_[point].parent != zone)
    point = zones_[points_[point].parent].point;
  return point;
}

void ZoneTree::route(HostIndex source, HostIndex destination, Route &route) const {
  size_t first = route.links.size();
  between(hostPoints_[source], hostPoints_[destination], route);
  for (size_t i = first; i < route.links.size(); ++i)
    route.latencySeconds += platformLinks_[route.links[i]].latencySeconds;
}

void ZoneTree::between(PointIndex from, PointIndex to, Route &route) const {
  ZoneIndex common = commonZone(from, to);
  const Zone &zone = zones_[common];
  if (!zone.bypasses.empty() && bypass(common, from, to, route))
    return;
  if (points_[from].parent == common && points_[to].parent == common)
    withinZone(zone, from, to, route);
  else
    acrossZones(zone, from, to, route);
}

/// Whether a bypass of the zone \p common was taken.
bool ZoneTree::bypass(ZoneIndex common, PointIndex from, PointIndex to, Route &route) const {
  const WrittenRoute *found = findBypass(common, from, to);
  if (!found)
    return false;
  if (found->gatewayFrom != NoIndex && found->gatewayFrom != from)
    between(from, found->gatewayFrom, route);
  append(found->links, route);
  if (found->gatewayTo != NoIndex && found->gatewayTo != to)
    between(found->gatewayTo, to, route);
  return true;
}

/// Both points directly in the zone: what is written for them. Otherwise what is written for two of
/// the zones around them, the innermost ones first: SimGrid's order of search.
const ZoneTree::WrittenRoute *ZoneTree::findBypass(ZoneIndex common, PointIndex from,
                                                   PointIndex to) const {
  const auto &bypasses = zones_[common].bypasses;
  auto lookUp = [&bypasses](PointIndex a, PointIndex b) -> const WrittenRoute * {
    auto found = bypasses.find(pairKey(a, b));
    return found == bypasses.end() ? nullptr : &found->second;
  };
  if (points_[from].parent == common && points_[to].parent == common)
    return lookUp(from, to);
  auto around = [&](PointIndex point) {
    std::vector<PointIndex> zones;
    for (ZoneIndex zone = points_[point].parent; zone != common; zone = zones_[zone].parent)
      zones.push_back(zones_[zone].point);
    return zones;
  };
  const std::vector<PointIndex> first = around(from), second = around(to);
  auto at = [&](size_t i, size_t j) {
    return i < first.size() && j < second.size() ? lookUp(first[i], second[j]) : nullptr;
  };
  for (size_t outer = 0; outer < std::max(first.size(), second.size()); ++outer) {
    for (size_t inner = 0; inner < outer; ++inner) {
      if (const WrittenRoute *found = at(inner, outer))
        return found;
      if (const WrittenRoute *found = at(outer, inner))
        return found;
    }
    if (const WrittenRoute *found = at(outer, outer))
      return found;
  }
  return nullptr;
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
  if (zone.routing == Routing::Star || zone.routing == Routing::Vivaldi) {
    crossStar(zone, from, to, route);
    if (zone.routing == Routing::Vivaldi)
      addDistance(from, to, route);
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

void ZoneTree::crossStar(const Zone &zone, PointIndex from, PointIndex to, Route &route) const {
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
}

void ZoneTree::addDistance(PointIndex from, PointIndex to, Route &route) const {
  const Coordinates *a = coordinates(from), *b = coordinates(to);
  if (!a || !b)
    noRoute(from, to);
  double milliseconds =
      std::hypot(a->x - b->x, a->y - b->y) + std::abs(a->height) + std::abs(b->height);
  route.distanceSeconds += milliseconds / 1000;
  route.latencySeconds += milliseconds / 1000;
}

void ZoneTree::acrossZones(const Zone &common, PointIndex from, PointIndex to, Route &route) const {
  const auto index = static_cast<ZoneIndex>(&common - zones_.data());
  PointIndex a = childOf(index, from), b = childOf(index, to);
  std::vector<const WrittenRoute *> steps;
  PointIndex entry = NoIndex, exit = NoIndex;
  if (common.routing == Routing::Star || common.routing == Routing::Vivaldi) {
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
  if (zone.routing == Routing::None)
    noRoute(from, to);
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
  throw InputError(file_, 0, "no route from '" + name(from) + "' to '" + name(to) + "'");
}

} // namespace gnomon::platform
