// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The loaded machine, and the machine of a user who names none.
#include "platform/Platform.h"

#include "platform/BuiltIn.h"
#include "platform/FileText.h"
#include "platform/Outline.h"
#include "platform/Xml.h"
#include "platform/topology/Cluster.h"

#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <numeric>

namespace gnomon::platform {

Platform::Platform(std::vector<Host> hosts, std::vector<Link> links,
                   std::unique_ptr<RouteSource> routes)
    : hosts_(std::move(hosts)), links_(std::move(links)), routes_(std::move(routes)) {}

Platform::~Platform() = default;
Platform::Platform(Platform &&) noexcept = default;

std::span<const Host> Platform::hosts() const { return hosts_; }
std::span<const Link> Platform::links() const { return links_; }
std::span<const Disk> Platform::disks() const { return disks_; }
std::span<const Profile> Platform::profiles() const { return profiles_; }
std::span<const ProfileUse> Platform::profileUses() const { return profileUses_; }

void Platform::setConfig(std::vector<ConfigEntry> config) { config_ = std::move(config); }
void Platform::setDisks(std::vector<Disk> disks) { disks_ = std::move(disks); }
void Platform::setNotes(std::vector<Note> notes) { notes_ = std::move(notes); }

void Platform::setProfiles(std::vector<Profile> profiles, std::vector<ProfileUse> uses) {
  profiles_ = std::move(profiles);
  profileUses_ = std::move(uses);
}

std::optional<HostIndex> Platform::findHost(std::string_view name) const {
  auto nameOf = [this](HostIndex host) { return hosts_[host].name.str(); };
  if (hostsByName_.empty()) {
    std::vector<std::string> names;
    names.reserve(hosts_.size());
    for (const Host &host : hosts_)
      names.push_back(host.name);
    hostsByName_.resize(hosts_.size());
    std::iota(hostsByName_.begin(), hostsByName_.end(), 0u);
    std::ranges::sort(hostsByName_, {}, [&](HostIndex host) -> auto & { return names[host]; });
  }
  auto found = std::ranges::lower_bound(hostsByName_, name, std::less<>(), nameOf);
  if (found == hostsByName_.end() || nameOf(*found) != name)
    return std::nullopt;
  return *found;
}

void Platform::setOutline(std::unique_ptr<const Outline> outline) { outline_ = std::move(outline); }

std::string Note::render() const {
  return fmt::format("{}{}: {}{}", file, line > 0 ? fmt::format(":{}", line) : "",
                     attribute.empty() ? "" : attribute + ": ", text);
}

void Platform::route(HostIndex source, HostIndex destination, Route &route) const {
  route.links.clear();
  route.latencySeconds = 0;
  route.distanceSeconds = 0;
  routes_->route(source, destination, route);
}

Platform load(const std::string &text) {
  if (std::optional<Platform> builtIn = loadBuiltIn(text))
    return std::move(*builtIn);
  try {
    return loadXml(readText(text), text);
  } catch (const std::bad_alloc &) {
    throw InputError(text, 0, "needs more memory than there is");
  }
}

Platform defaultPlatform(uint32_t hostCount, double speedFlops) {
  ClusterSpec spec;
  spec.id = "default";
  spec.prefix = "node-";
  spec.numbers.resize(hostCount);
  std::iota(spec.numbers.begin(), spec.numbers.end(), uint64_t{0});
  spec.speedFlops = speedFlops;
  // A 100 Gbit/s network; two links of 0.5 us make a small message take 2 us with the default
  // latency factors.
  spec.bandwidth = 12.5e9;
  spec.latencySeconds = 0.5e-6;
  // Messages within a host go through shared memory.
  spec.loopbackBandwidth = 1e10;
  spec.loopbackLatencySeconds = 0.1e-6;
  spec.oneLoopback = true;
  Draft draft;
  draft.origin.element = "cluster";
  addCluster(draft, NoIndex, spec);
  return draft.finish("default platform");
}

} // namespace gnomon::platform
