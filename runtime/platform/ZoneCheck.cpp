// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What is done once about a tree of zones: shortest paths, and the check that hosts reach each
/// other.
#include "platform/ZoneTree.h"

#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace gnomon::platform {

namespace {
/// Floyd's table grows with the square and its time with the cube of a zone's points.
constexpr size_t MaxShortestPathPoints = 1024;
} // namespace

void ZoneTree::finish(std::span<const Link> links, const std::string &file) {
  file_ = file;
  platformLinks_ = links;
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
                     fmt::format("a zone with shortest-path routing has {} points; the limit is {}",
                                 n, MaxShortestPathPoints));
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

namespace {
bool everyPairJoined(Routing routing) {
  return routing == Routing::Star || routing == Routing::Vivaldi || routing == Routing::Computed;
}
} // namespace

bool ZoneTree::hasRoute(const Zone &zone, PointIndex from, PointIndex to) const {
  if (from == to || everyPairJoined(zone.routing))
    return true;
  if (zone.routing == Routing::None)
    return false;
  if (zone.routing == Routing::Full)
    return written(zone, from, to) != nullptr;
  return zone.predecessors[points_[from].local * zone.points.size() + points_[to].local] != NoIndex;
}

/// Every two used points of a zone must be joined, and used hosts must reach the gateways of the
/// zone they are in.
void ZoneTree::checkZone(const Zone &zone, const std::vector<bool> &used) const {
  if (everyPairJoined(zone.routing) && zone.routing != Routing::Vivaldi)
    return;
  std::vector<PointIndex> points;
  std::copy_if(zone.points.begin(), zone.points.end(), std::back_inserter(points),
               [&used](PointIndex point) { return used[point]; });
  if (!zone.bypasses.empty())
    return checkBypassed(zone, points, used);
  if (zone.routing == Routing::Vivaldi) {
    for (PointIndex point : points)
      if (points.size() > 1 && !coordinates(point))
        noRoute(point, points[point == points[0] ? 1 : 0]);
    return;
  }
  Route scratch;
  // A zone's way to a gateway is the same for all routes through it.
  std::unordered_set<uint64_t> checked[2];
  auto reaches = [&](PointIndex end, PointIndex gateway, bool outward) {
    const uint64_t way = (uint64_t{end} << 32) | gateway;
    if (points_[end].zone == NoIndex || !checked[outward].insert(way).second)
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

/// Where there are bypasses, a pair may be joined by one of them alone: the routes are tried,
/// between one host of each point.
void ZoneTree::checkBypassed(const Zone &zone, const std::vector<PointIndex> &points,
                             const std::vector<bool> &used) const {
  const auto index = static_cast<ZoneIndex>(&zone - zones_.data());
  std::unordered_map<PointIndex, PointIndex> someHost; // of each point
  for (PointIndex host : hostPoints_)
    if (used[host] && contains(index, host))
      someHost.try_emplace(childOf(index, host), host);
  Route scratch;
  for (PointIndex from : points)
    for (PointIndex to : points) {
      scratch.links.clear();
      if (from != to)
        between(someHost.at(from), someHost.at(to), scratch);
    }
}

} // namespace gnomon::platform
