// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Finding the zones whose hosts are alike, and learning what their routes have in common.
#include "models/StarRoutes.h"

#include "platform/ZoneTree.h"

#include <algorithm>
#include <iterator>

namespace gnomon::models {

using platform::HostIndex;
using platform::LinkIndex;
using platform::ZoneIndex;
using platform::ZoneTree;

StarRoutes::StarRoutes(const platform::Platform &platform)
    : platform_(platform), ends_(platform.hosts().size()) {
  const ZoneTree *zones = platform.zones();
  if (!zones)
    return;
  std::vector<std::vector<HostIndex>> hostsOf(zones->zoneCount());
  for (HostIndex host = 0; host < ends_.size(); ++host)
    hostsOf[zones->zoneOf(zones->pointOfHost(host))].push_back(host);
  for (ZoneIndex zone = 0; zone < hostsOf.size(); ++zone)
    if (hostsOf[zone].size() > 1 && zones->routing(zone) == platform::Routing::Star &&
        zones->writtenRoutes(zone).empty()) // of which bypasses would come first
      addZone(*zones, hostsOf[zone]);
}

/// False when the host has more links than there are places, or none.
bool StarRoutes::Shape::read(const ZoneTree &zones, HostIndex host) {
  const ZoneTree::StarLinks star = zones.star(zones.pointOfHost(host));
  auto place = [this](LinkIndex link) {
    auto *const end = links.begin() + places;
    auto *const found = std::find(links.begin(), end, link);
    if (found == end && places < Places)
      links[places++] = link;
    return static_cast<uint8_t>(found - links.begin());
  };
  places = 0;
  links.fill(platform::NoIndex);
  up.clear();
  down.clear();
  for (LinkIndex link : star.up)
    up.push_back(place(link));
  for (LinkIndex link : star.down)
    down.push_back(place(link));
  auto none = [](uint8_t at) { return at >= Places; };
  return places > 0 && std::ranges::none_of(up, none) && std::ranges::none_of(down, none);
}

bool StarRoutes::alike(const Shape &first, const Shape &other) const {
  if (first.up != other.up || first.down != other.down)
    return false;
  for (size_t place = 0; place < first.places; ++place) {
    const platform::Link &a = platform_.links()[first.links[place]];
    const platform::Link &b = platform_.links()[other.links[place]];
    if (a.bandwidth != b.bandwidth || a.latencySeconds != b.latencySeconds ||
        a.sharing != b.sharing)
      return false;
  }
  return true;
}

/// Nothing is allocated per host: small blocks that are freed again would lie between what the
/// ranks are given afterwards.
void StarRoutes::addZone(const ZoneTree &zones, std::span<const HostIndex> hosts) {
  Shape first, other;
  if (!first.read(zones, hosts[0]))
    return;
  for (HostIndex host : hosts) {
    if (!other.read(zones, host) || !alike(first, other))
      return;
    ends_[host].links = other.links;
  }
  if (!ownLinks(hosts, first.places))
    return;
  const auto group = static_cast<uint32_t>(patterns_.size());
  patterns_.emplace_back();
  for (HostIndex host : hosts)
    ends_[host].group = group;
  covered_ += hosts.size();
}

/// Whether each link is one host's own, or has the same place with all of them.
bool StarRoutes::ownLinks(std::span<const HostIndex> hosts, size_t places) const {
  std::vector<LinkIndex> links;
  for (size_t place = 0; place < places; ++place) {
    auto linkOf = [&](HostIndex host) { return ends_[host].links[place]; };
    const LinkIndex first = linkOf(hosts[0]);
    links.push_back(first);
    if (linkOf(hosts[1]) != first)
      std::ranges::transform(hosts.subspan(1), std::back_inserter(links), linkOf);
    else if (!std::ranges::all_of(hosts, [&](HostIndex host) { return linkOf(host) == first; }))
      return false;
  }
  std::ranges::sort(links);
  return std::ranges::adjacent_find(links) == links.end();
}

bool StarRoutes::learn(uint32_t group, HostIndex source, HostIndex destination,
                       std::span<const solver::Usage> usages) {
  Pattern &pattern = patterns_[group];
  pattern.count = 0;
  pattern.example[0] = source;
  pattern.example[1] = destination;
  for (const solver::Usage &usage : usages) {
    const auto number = static_cast<uint8_t>(usage.weightNumber);
    Use use{usage.weight, number, 0, Places};
    for (HostIndex host : {destination, source}) {
      const auto &links = ends_[host].links;
      const auto found = std::ranges::find(links, usage.constraint) - links.begin();
      if (found < static_cast<ptrdiff_t>(Places))
        use = {usage.weight, number, host == destination, static_cast<uint8_t>(found)};
    }
    if (use.place == Places) {
      pattern.count = 0;
      break;
    }
    pattern.uses[pattern.count++] = use;
  }
  pattern.hasCommonLink = false;
  forEachPlace(group, [&](const PlaceOfLinks &place) {
    pattern.hasCommonLink |=
        place.isCommon && platform_.links()[place.link].sharing != platform::Sharing::FatPipe;
  });
  if (pattern.count > 0)
    return true;
  for (End &end : ends_)
    if (end.group == group) {
      end.group = None;
      --covered_;
    }
  return false;
}

void StarRoutes::forgetAll() {
  for (End &end : ends_)
    end.group = None;
  covered_ = 0;
}

} // namespace gnomon::models
