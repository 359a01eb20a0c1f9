// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Routes through nested zones, as SimGrid's platform files describe them.
///
/// A zone holds points: hosts, routers, and other zones (each zone is also a point of its parent).
/// Its routing says how two of its points are joined:
///   Full          every pair has a written route;
///   Star          each point has links up to and down from the centre (a cluster); a link used by
///                 both halves counts once (the backbone);
///   Vivaldi       a star whose points have coordinates, which add to the latency (Dabek et al.,
///                 SIGCOMM 2004): with positions (x, y) and heights h in milliseconds
///                 sqrt((x_a - x_b)^2 + (y_a - y_b)^2) + |h_a| + |h_b|;
///   ShortestPath  the written routes are edges; the path with the fewest links is taken
///                 (Floyd 1962);
///   Computed      the zone holds hosts only, and routes follow from their numbers (Topology.h);
///   None          no two points are joined.
/// A route between zones names gateways: points inside either zone where it begins and ends. The
/// route between two points a and b of different zones is, with A and B the children of their
/// lowest common zone that hold them:
///   a → gateway of A, the written route A → B, gateway of B → b   (the outer parts found the same way).
///
/// A bypass replaces what the zone it stands in would do: between two points directly in the zone,
/// or between two zones below it at any depth. Of several that fit a pair, the one nearest to it
/// counts: with zones numbered from each end of the pair outwards, the least maximum of the two
/// numbers, then the least minimum.
///
/// A star or a computed topology costs O(links) and no memory per pair; Floyd O(n^3) time at load
/// and O(n^2) memory in its zone.
#pragma once

#include "platform/topology/Topology.h"

#include <unordered_map>

namespace gnomon::platform {

using PointIndex = uint32_t;
using ZoneIndex = uint32_t;

enum class Routing : uint8_t { Full, Star, Vivaldi, ShortestPath, Computed, None };

/// A place in the space of latencies, in milliseconds.
struct Coordinates {
  double x = 0, y = 0, height = 0;
};

class ZoneTree : public RouteSource {
public:
  /// The first zone is the root: its parent is NoIndex.
  ZoneIndex addZone(ZoneIndex parent, std::string name, Routing routing);
  /// Hosts are added in the order of their indices.
  PointIndex addHost(ZoneIndex zone, Name name);
  PointIndex addRouter(ZoneIndex zone, std::string name);

  /// Vivaldi: where a point stands. There are no routes to points without coordinates.
  void setCoordinates(PointIndex point, const Coordinates &place) { places_[point] = place; }
  /// Null when it has none.
  const Coordinates *coordinates(PointIndex point) const {
    auto found = places_.find(point);
    return found == places_.end() ? nullptr : &found->second;
  }
  /// Star, Vivaldi: the links from \p point to the centre and from the centre to it, and to itself.
  void setStar(PointIndex point, std::span<const LinkIndex> up, std::span<const LinkIndex> down,
               std::span<const LinkIndex> loopback);
  /// Computed: the zone's hosts are numbered in the order in which they were added.
  void setTopology(ZoneIndex zone, std::unique_ptr<Topology> topology) {
    zones_[zone].topology = std::move(topology);
  }
  /// Full, ShortestPath: whether the route is new. Gateways are NoIndex where an end is no zone.
  bool addRoute(ZoneIndex zone, PointIndex from, PointIndex to, std::span<const LinkIndex> links,
                PointIndex gatewayFrom, PointIndex gatewayTo);
  /// Whether the bypass is new. Points directly in \p zone without gateways, or zones inside it
  /// with gateways, neither inside the other.
  bool addBypass(ZoneIndex zone, PointIndex from, PointIndex to, std::span<const LinkIndex> links,
                 PointIndex gatewayFrom, PointIndex gatewayTo);
  /// The point through which other zones enter \p zone when a route names none; NoIndex: none.
  void setDefaultGateway(ZoneIndex zone, PointIndex gateway) {
    zones_[zone].defaultGateway = gateway;
  }
  PointIndex defaultGateway(ZoneIndex zone) const { return zones_[zone].defaultGateway; }

  /// The points directly in \p zone, in the order in which they were added.
  std::span<const PointIndex> points(ZoneIndex zone) const { return zones_[zone].points; }
  PointIndex pointOf(ZoneIndex zone) const { return zones_[zone].point; }
  ZoneIndex zoneOf(PointIndex point) const { return points_[point].parent; }
  std::string name(PointIndex point) const { return points_[point].name; }
  PointIndex pointOfHost(HostIndex host) const { return hostPoints_[host]; }

  // How the tree looks: for lints and drawings (driver/check), and for models that ask before the
  // start.
  size_t zoneCount() const { return zones_.size(); }
  /// NoIndex: of the root.
  ZoneIndex parentOf(ZoneIndex zone) const { return zones_[zone].parent; }
  Routing routing(ZoneIndex zone) const { return zones_[zone].routing; }
  /// The zone that \p point is; NoIndex: it is a host or a router.
  ZoneIndex zoneAt(PointIndex point) const { return points_[point].zone; }
  /// A point's links to the centre of its star and from it, and to itself.
  struct StarLinks {
    std::span<const LinkIndex> up, down, loopback;
  };
  StarLinks star(PointIndex point) const;
  /// A route as it is written in a zone; gateways are NoIndex where an end is no zone.
  struct RouteView {
    PointIndex from, to;
    std::span<const LinkIndex> links;
    PointIndex gatewayFrom, gatewayTo;
    bool bypass; ///< between points at any depth
  };
  /// Routes, then bypasses, each ordered by the numbers of their ends.
  std::vector<RouteView> writtenRoutes(ZoneIndex zone) const;

  /// Whether \p point lies in \p zone or in a zone within it.
  bool contains(ZoneIndex zone, PointIndex point) const;
  /// The lowest zone that holds both.
  ZoneIndex commonZone(PointIndex a, PointIndex b) const;
  /// The host that is \p point; NoIndex for routers and zones. O(log hosts).
  HostIndex hostAt(PointIndex point) const;

  /// Computes shortest paths and checks that all hosts reach each other. \p links must last as long as
  /// the tree. Throws InputError naming \p file.
  void finish(std::span<const Link> links, const std::string &file);

  void route(HostIndex source, HostIndex destination, Route &route) const override;
  /// Costs O(n^2) in the points of each zone that is no star, not in the hosts.
  void checkReachable(std::span<const HostIndex> hosts) const override;
  const ZoneTree *zones() const override { return this; }

private:
  struct LinkSpan {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  struct Point {
    Name name;
    ZoneIndex parent;
    ZoneIndex zone = NoIndex; ///< when the point is a zone
    uint32_t local = 0;       ///< number among the parent's points
  };
  struct WrittenRoute {
    LinkSpan links;
    PointIndex gatewayFrom = NoIndex;
    PointIndex gatewayTo = NoIndex;
  };
  struct Star {
    LinkSpan up, down, loopback;
  };
  struct Zone {
    ZoneIndex parent;
    Routing routing;
    PointIndex point = NoIndex; ///< of this zone in its parent
    PointIndex defaultGateway = NoIndex;
    uint32_t depth = 0;
    std::vector<PointIndex> points;
    std::vector<Star> stars;                             ///< Star: by local number
    std::unique_ptr<Topology> topology;                  ///< Computed
    std::unordered_map<uint64_t, WrittenRoute> routes;   ///< by local numbers
    std::unordered_map<uint64_t, WrittenRoute> bypasses; ///< by points
    std::vector<uint32_t> predecessors;                  ///< ShortestPath: [from * n + to]
  };

  PointIndex addPoint(ZoneIndex zone, Name name);
  LinkSpan keep(std::span<const LinkIndex> links);
  void append(LinkSpan links, Route &route) const;
  void appendOnce(LinkSpan links, size_t begin, Route &route) const;
  const WrittenRoute *written(const Zone &zone, PointIndex from, PointIndex to) const;
  void between(PointIndex from, PointIndex to, Route &route) const;
  void withinZone(const Zone &zone, PointIndex from, PointIndex to, Route &route) const;
  void crossStar(const Zone &zone, PointIndex from, PointIndex to, Route &route) const;
  void addDistance(PointIndex from, PointIndex to, Route &route) const;
  void acrossZones(const Zone &common, PointIndex from, PointIndex to, Route &route) const;
  PointIndex childOf(ZoneIndex zone, PointIndex point) const;
  bool bypass(ZoneIndex common, PointIndex from, PointIndex to, Route &route) const;
  const WrittenRoute *findBypass(ZoneIndex common, PointIndex from, PointIndex to) const;
  bool hasRoute(const Zone &zone, PointIndex from, PointIndex to) const;
  std::vector<const WrittenRoute *> path(const Zone &zone, PointIndex from, PointIndex to) const;
  void computeShortestPaths(Zone &zone);
  void checkZone(const Zone &zone, const std::vector<bool> &used) const;
  void checkBypassed(const Zone &zone, const std::vector<PointIndex> &points,
                     const std::vector<bool> &used) const;
  [[noreturn]] void noRoute(PointIndex from, PointIndex to) const;

  std::vector<Point> points_;
  std::vector<Zone> zones_;
  std::vector<PointIndex> hostPoints_;
  std::unordered_map<PointIndex, Coordinates> places_;
  std::vector<LinkIndex> links_;        ///< all link lists, one after another
  std::span<const Link> platformLinks_; ///< for their latencies
  std::string file_;
};

} // namespace gnomon::platform
