// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The dragonfly of the Cray XC (Faanes et al., SC 2012; Kim et al., ISCA 2008): G groups of C
/// chassis of B blades, a router and N hosts each. Router r = (g C + c) B + b. Cables, in this
/// order of numbers:
///   local  r N + n                       router r and its host n (its up end)
///   green  (g C + c) pairs(B) + {b, b'}  blades of a chassis
///   black  (g pairs(C) + {c, c'}) B + b  chassis of a group, between equal blades
///   blue   {g, g'}                       groups: router g' of the first chassis of g, router g of
///                                        that of g'
/// where {i, j}, i < j, counts pairs in the order (0, 1), (0, 2) …; the up end is i. The bandwidth
/// of green, black and blue cables is a multiple of the others'.
///
/// Routes: minimal. To another group: green to blade g', black to the first chassis, blue; then,
/// as within a group, green to the target's blade, black to its chassis. After a green step within
/// the last group the route goes on as if from the *first* chassis, as in SimGrid 4.1.1: from
/// another chassis to a different blade it crosses a black cable of the first chassis, or none
/// where the target is there. With limiters: the hosts', the router's before each step of
/// a route from router to router (for blue: after it), and the target's router. O(1) a route.
#include "platform/topology/Cluster.h"

#include <fmt/format.h>
#include <utility>

namespace gnomon::platform {

namespace {

constexpr uint64_t pairs(uint64_t count) { return count * (count - 1) / 2; }
/// The number of the pair i < j of \p count things.
constexpr uint64_t pairNumber(uint64_t i, uint64_t j, uint64_t count) {
  return i * (2 * count - i - 1) / 2 + (j - i - 1);
}

struct Router {
  uint32_t group, chassis, blade;
  bool operator==(const Router &) const = default;
};

class Dragonfly : public Topology {
public:
  Dragonfly(const TopologyLinks &links, const DragonflySpec &spec)
      : Topology(links), spec_(spec), routers_(uint64_t{spec.groups} * spec.chassis * spec.blades),
        green_(routers_ * spec.nodes),
        black_(green_ + uint64_t{spec.groups} * spec.chassis * pairs(spec.blades)),
        blue_(black_ + spec.groups * pairs(spec.chassis) * spec.blades) {}

private:
  void cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const override;

  Router routerOf(uint32_t host) const {
    uint32_t router = host / spec_.nodes;
    return {router / spec_.blades / spec_.chassis, router / spec_.blades % spec_.chassis,
            router % spec_.blades};
  }
  uint64_t number(const Router &router) const {
    return (uint64_t{router.group} * spec_.chassis + router.chassis) * spec_.blades + router.blade;
  }
  void limitRouter(const Router &router, std::vector<LinkIndex> &route) const {
    limit(routers_ * spec_.nodes + number(router), route);
  }
  /// The direction of cable \p first + scale * {i, j} + offset from i to j.
  LinkIndex between(uint64_t first, uint64_t scale, uint64_t offset, uint32_t i, uint32_t j,
                    uint32_t count) const {
    return i < j ? links_.up(first + pairNumber(i, j, count) * scale + offset)
                 : links_.down(first + pairNumber(j, i, count) * scale + offset);
  }
  LinkIndex green(const Router &at, uint32_t blade) const {
    uint64_t chassis = uint64_t{at.group} * spec_.chassis + at.chassis;
    return between(green_ + chassis * pairs(spec_.blades), 1, 0, at.blade, blade, spec_.blades);
  }
  LinkIndex black(const Router &at, uint32_t chassis) const {
    return between(black_ + at.group * pairs(spec_.chassis) * spec_.blades, spec_.blades, at.blade,
                   at.chassis, chassis, spec_.chassis);
  }
  Router toGroup(Router at, uint32_t group, std::vector<LinkIndex> &route) const;

  DragonflySpec spec_;
  uint64_t routers_;
  uint64_t green_, black_, blue_; ///< first cables
};

/// From \p at into another group; the router where the route arrives.
Router Dragonfly::toGroup(Router at, uint32_t group, std::vector<LinkIndex> &route) const {
  if (at.blade != group) {
    limitRouter(at, route);
    route.push_back(green(at, group));
    at.blade = group;
  }
  if (at.chassis != 0) {
    limitRouter(at, route);
    route.push_back(black(at, 0));
    at.chassis = 0;
  }
  route.push_back(between(blue_, 1, 0, at.group, group, spec_.groups));
  limitRouter(at, route);
  return {group, 0, at.group};
}

void Dragonfly::cross(uint32_t from, uint32_t to, std::vector<LinkIndex> &route) const {
  Router at = routerOf(from);
  const Router target = routerOf(to);
  limit(from, route);
  route.push_back(links_.up(from)); // local cables are numbered as the hosts
  if (at.group != target.group)
    at = toGroup(at, target.group, route);
  if (at.blade != target.blade) {
    limitRouter(at, route);
    route.push_back(green(at, target.blade));
    at = {target.group, 0, target.blade};
  }
  if (at.chassis != target.chassis) {
    limitRouter(at, route);
    route.push_back(black(at, target.chassis));
  }
  limitRouter(target, route);
  route.push_back(links_.down(to));
  limit(to, route);
}

/// Adds cables, with SimGrid's names: what they join, and a running number.
struct Names {
  Draft &draft;
  const ClusterSpec &cluster;
  void add(const std::string &what, uint32_t multiple) {
    addCable(draft, cluster, fmt::format("{}_{}", what, draft.dragonflyCables++), multiple);
  }
};

} // namespace

std::unique_ptr<Topology> makeDragonfly(Draft &draft, const ClusterSpec &cluster,
                                        const DragonflySpec &spec, TopologyLinks links) {
  const uint32_t chassis = spec.groups * spec.chassis, routers = chassis * spec.blades;
  const uint32_t hosts = routers * spec.nodes;
  addSwitchLimiters(draft, cluster, links, hosts + std::max(hosts, routers) - 1, routers);
  links.network = static_cast<LinkIndex>(draft.links.size());
  Names names{draft, cluster};
  for (uint32_t router = 0; router < routers; ++router)
    for (uint32_t node = 0; node < spec.nodes; ++node)
      names.add(fmt::format("local_link_from_router_{}_to_node_{}", router, node), 1);
  for (uint32_t i = 0; i < chassis; ++i)
    for (uint32_t j = 0; j < spec.blades; ++j)
      for (uint32_t k = j + 1; k < spec.blades; ++k)
        names.add(fmt::format("green_link_in_chassis_{}_between_routers_{}_and_{}",
                              i % spec.chassis, j, k),
                  spec.greenCables);
  for (uint32_t group = 0; group < spec.groups; ++group)
    for (uint32_t j = 0; j < spec.chassis; ++j)
      for (uint32_t k = j + 1; k < spec.chassis; ++k)
        for (uint32_t blade = 0; blade < spec.blades; ++blade)
          names.add(fmt::format("black_link_in_group_{}_between_chassis_{}_and_{}_blade_{}", group,
                                j, k, blade),
                    spec.blackCables);
  const uint64_t perGroup = uint64_t{spec.blades} * spec.chassis;
  for (uint32_t i = 0; i < spec.groups; ++i)
    for (uint32_t j = i + 1; j < spec.groups; ++j)
      names.add(fmt::format("blue_link_between_group_{}_and_{}_routers_{}_and_{}", i, j,
                            i * perGroup + j, j * perGroup + i),
                spec.blueCables);
  return std::make_unique<Dragonfly>(links, spec);
}

} // namespace gnomon::platform
