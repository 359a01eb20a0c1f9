// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/topology/Cluster.h"

#include "support/Check.h"

#include <fmt/format.h>

namespace gnomon::platform {

void addCable(Draft &draft, const ClusterSpec &cluster, const std::string &name,
              uint32_t multiple) {
  Link link{name, cluster.bandwidth * multiple, cluster.latencySeconds, cluster.sharing};
  if (cluster.splitDuplex) {
    link.name = name + "_UP";
    draft.addLink(link);
    link.name = name + "_DOWN";
  }
  draft.addLink(std::move(link));
}

void addSwitchLimiters(Draft &draft, const ClusterSpec &cluster, const TopologyLinks &links,
                       uint32_t top, uint32_t count) {
  if (links.limiters == NoIndex)
    return;
  for (uint32_t i = 0; i < count; ++i)
    draft.addLink({fmt::format("{}_link_{}_limiter", cluster.id, top - i), cluster.limiterBandwidth,
                   0, Sharing::Shared});
}

namespace {

const char *nameOf(const TopologySpec &spec) {
  constexpr const char *Names[] = {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"};
  return Names[spec.index()];
}

ZoneIndex addTopology(Draft &draft, ZoneIndex parent, const ClusterSpec &spec) {
  CHECK(checkTopology(spec.topology) == spec.numbers.size(), "a number for each host");
  ZoneIndex zone =
      draft.addZone(parent, spec.id, Routing::Computed, nameOf(spec.topology), spec.topology);
  if (draft.hosts.empty())
    draft.hosts.reserve(spec.numbers.size());
  const Name hostNames(spec.prefix, spec.suffix);
  for (uint64_t number : spec.numbers)
    draft.addHost(zone, {hostNames.withNumber(number), spec.speedFlops, spec.cores});
  TopologyLinks links;
  links.splitDuplex = spec.splitDuplex;
  auto next = [&draft] { return static_cast<LinkIndex>(draft.links.size()); };
  if (spec.loopbackBandwidth > 0) {
    links.loopbacks = next();
    const Name names(spec.id + "_link_", "_loopback");
    for (uint64_t number : spec.numbers)
      draft.addLink({names.withNumber(number), spec.loopbackBandwidth, spec.loopbackLatencySeconds,
                     Sharing::FatPipe});
  }
  if (spec.limiterBandwidth > 0) {
    links.limiters = next(); // named by position, not by number
    const Name names(spec.id + "_link_", "_limiter");
    for (size_t host = 0; host < spec.numbers.size(); ++host)
      draft.addLink({names.withNumber(host), spec.limiterBandwidth, 0, Sharing::Shared});
  }
  std::unique_ptr<Topology> topology;
  if (const auto *torus = std::get_if<TorusSpec>(&spec.topology))
    topology = makeTorus(draft, spec, *torus, links);
  else if (const auto *tree = std::get_if<FatTreeSpec>(&spec.topology))
    topology = makeFatTree(draft, spec, *tree, links);
  else
    topology = makeDragonfly(draft, spec, std::get<DragonflySpec>(spec.topology), links);
  draft.zones->setTopology(zone, std::move(topology));
  return zone;
}

} // namespace

ZoneIndex addCluster(Draft &draft, ZoneIndex parent, const ClusterSpec &spec) {
  if (!std::holds_alternative<std::monostate>(spec.topology))
    return addTopology(draft, parent, spec);
  ZoneIndex zone = draft.addZone(parent, spec.id, Routing::Star, "FLAT");
  LinkIndex backbone = NoIndex;
  if (spec.backboneBandwidth > 0)
    backbone = draft.addLink({spec.id + "_backbone", spec.backboneBandwidth,
                              spec.backboneLatencySeconds, spec.backboneSharing});
  if (draft.hosts.empty()) { // later ones would move all that is there, each time
    draft.hosts.reserve(spec.numbers.size());
    draft.links.reserve(spec.numbers.size() * 2);
  }
  const Name hostNames(spec.prefix, spec.suffix);
  auto linkNames = [&spec](const char *what) { return Name(spec.id + "_link_", what); };
  const Name loopbackNames = linkNames("_loopback"), limiterNames = linkNames("_limiter"),
             upNames = linkNames(spec.splitDuplex ? "_UP" : ""), downNames = linkNames("_DOWN");
  std::vector<LinkIndex> up, down, loopback;
  auto addLoopback = [&](const Name &name) {
    loopback.assign(1, draft.addLink({name, spec.loopbackBandwidth, spec.loopbackLatencySeconds,
                                      Sharing::FatPipe}));
  };
  if (spec.loopbackBandwidth > 0 && spec.oneLoopback)
    addLoopback(spec.id + "_loopback");
  for (uint64_t number : spec.numbers) {
    PointIndex host =
        draft.addHost(zone, {hostNames.withNumber(number), spec.speedFlops, spec.cores});
    up.clear();
    down.clear();
    if (spec.loopbackBandwidth > 0 && !spec.oneLoopback)
      addLoopback(loopbackNames.withNumber(number));
    LinkIndex limiter = NoIndex;
    if (spec.limiterBandwidth > 0) {
      limiter = draft.addLink(
          {limiterNames.withNumber(number), spec.limiterBandwidth, 0, Sharing::Shared});
      up.push_back(limiter);
    }
    auto ownLink = [&](const Name &names) {
      return draft.addLink(
          {names.withNumber(number), spec.bandwidth, spec.latencySeconds, spec.sharing});
    };
    up.push_back(ownLink(upNames));
    if (backbone != NoIndex) {
      up.push_back(backbone);
      down.push_back(backbone);
    }
    down.push_back(spec.splitDuplex ? ownLink(downNames) : up[limiter == NoIndex ? 0 : 1]);
    if (limiter != NoIndex)
      down.push_back(limiter);
    draft.zones->setStar(host, up, down, loopback);
  }
  std::string router =
      spec.routerName.empty() ? spec.prefix + spec.id + "_router" + spec.suffix : spec.routerName;
  draft.zones->setDefaultGateway(zone, draft.zones->addRouter(zone, std::move(router)));
  return zone;
}

} // namespace gnomon::platform
