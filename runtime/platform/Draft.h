// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The parts from which platforms are put together.
#pragma once

#include "platform/Outline.h"
#include "platform/ZoneTree.h"

namespace gnomon::platform {

/// More hosts than this are taken for a mistake. A fuzzer, which finds large platforms at once,
/// tries many small ones instead.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr uint64_t MaxHosts = uint64_t{1} << 8;
#else
inline constexpr uint64_t MaxHosts = uint64_t{1} << 20;
#endif

/// A platform under construction.
struct Draft {
  std::vector<Host> hosts;
  std::vector<Link> links;
  std::vector<Disk> disks;
  std::vector<Profile> profiles;
  std::vector<ProfileUse> profileUses;
  std::unique_ptr<ZoneTree> zones = std::make_unique<ZoneTree>();
  /// Those of all fat trees and of all dragonflies are numbered, in their names.
  uint64_t fatTreeCables = 0, dragonflyCables = 0;

  std::unique_ptr<Outline> outline = std::make_unique<Outline>();
  Origin origin; ///< of what is added next

  /// Adds a zone, with its routing as it was written.
  ZoneIndex addZone(ZoneIndex parent, const std::string &name, Routing routing,
                    std::string writtenRouting, TopologySpec topology = {}) {
    outline->zones.push_back({name, std::move(writtenRouting), std::move(topology), origin.line});
    return zones->addZone(parent, name, routing);
  }
  LinkIndex addLink(Link link) {
    outline->links.set(static_cast<LinkIndex>(links.size()), origin);
    links.push_back(std::move(link));
    return static_cast<LinkIndex>(links.size() - 1);
  }
  PointIndex addHost(ZoneIndex zone, Host host) {
    outline->hosts.set(static_cast<HostIndex>(hosts.size()), origin);
    hosts.push_back(std::move(host));
    return zones->addHost(zone, hosts.back().name);
  }
  std::string profileTargetName(const ProfileUse &use) const {
    const bool host = use.kind == ProfileKind::Speed || use.kind == ProfileKind::HostState;
    return host ? hosts[use.target].name : links[use.target].name;
  }
  /// Checks the routes and makes the platform; \p file is named in errors.
  Platform finish(const std::string &file) {
    zones->finish(links, file);
    outline->file = file;
    // The links stay where they are: the tree looks at them.
    Platform platform(std::move(hosts), std::move(links), std::move(zones));
    platform.setDisks(std::move(disks));
    platform.setProfiles(std::move(profiles), std::move(profileUses));
    platform.setOutline(std::move(outline));
    return platform;
  }
};

} // namespace gnomon::platform
