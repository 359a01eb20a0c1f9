// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/Cluster.h"

namespace gnomon::platform {

Platform Draft::finish(const std::string &file) {
  zones->finish(links, file);
  return Platform(std::move(hosts), std::move(links), std::move(zones));
}

ZoneIndex addCluster(Draft &draft, ZoneIndex parent, const ClusterSpec &spec) {
  ZoneIndex zone = draft.zones->addZone(parent, spec.id, Routing::Star);
  LinkIndex backbone = NoIndex;
  if (spec.backboneBandwidth > 0)
    backbone = draft.addLink({spec.id + "_backbone", spec.backboneBandwidth,
                              spec.backboneLatencySeconds, spec.backboneSharing});
  draft.hosts.reserve(draft.hosts.size() + spec.numbers.size());
  draft.links.reserve(draft.links.size() + spec.numbers.size() * 2);
  std::vector<LinkIndex> up, down, loopback;
  for (uint64_t number : spec.numbers) {
    std::string text = std::to_string(number);
    PointIndex host =
        draft.addHost(zone, {spec.prefix + text + spec.suffix, spec.speedFlops, spec.cores});
    const std::string name = spec.id + "_link_" + text;
    up.clear();
    down.clear();
    loopback.clear();
    if (spec.loopbackBandwidth > 0)
      loopback.push_back(draft.addLink({name + "_loopback", spec.loopbackBandwidth,
                                        spec.loopbackLatencySeconds, Sharing::FatPipe}));
    LinkIndex limiter = NoIndex;
    if (spec.limiterBandwidth > 0) {
      limiter = draft.addLink({name + "_limiter", spec.limiterBandwidth, 0, Sharing::Shared});
      up.push_back(limiter);
    }
    auto ownLink = [&](const char *direction) {
      return draft.addLink({name + direction, spec.bandwidth, spec.latencySeconds, spec.sharing});
    };
    up.push_back(ownLink(spec.splitDuplex ? "_UP" : ""));
    if (backbone != NoIndex) {
      up.push_back(backbone);
      down.push_back(backbone);
    }
    down.push_back(spec.splitDuplex ? ownLink("_DOWN") : up[limiter == NoIndex ? 0 : 1]);
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
