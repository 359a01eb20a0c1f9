// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/RouteTable.h"

#include "support/Check.h"
#include "support/Hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace gnomon::models {

using platform::HostIndex;

namespace {
constexpr size_t SmallestTable = 1 << 6;
constexpr size_t LargestTable = 1 << 18;
/// Partners that a host has in common patterns.
constexpr size_t PairsPerHost = 16;
} // namespace

RouteTable::RouteTable(kernel::Engine &engine, const platform::Platform &platform,
                       const Parameters &parameters)
    : engine_(engine), platform_(platform),
      loopbackLatencySeconds_(parameters.loopbackLatencySeconds),
      loopbackBandwidth_(parameters.loopbackBandwidth), stars_(platform), ofStars_(stars_.groups()),
      table_(std::clamp(std::bit_ceil(platform.hosts().size() * PairsPerHost), SmallestTable,
                        LargestTable)),
      profiles_(engine, platform, ProfilePlayer::Of::Links, *this) {
  if (profiles_.empty())
    return;
  stars_.forgetAll();
  links_.assign(platform.links().begin(), platform.links().end());
  offBecause_.resize(links_.size());
  profiles_.start();
}

/// Where the figures of a pair stand, or will.
RouteTable::Figures &RouteTable::place(HostIndex source, HostIndex destination) {
  if (const uint32_t group = stars_.groupOf(source, destination); group != StarRoutes::None)
    return ofStars_[group];
  const uint64_t hash = spread(uint64_t{source} << 32 | destination) >> 32;
  return table_[hash & (table_.size() - 1)];
}

const RouteTable::Figures &RouteTable::find(HostIndex source, HostIndex destination,
                                            uint64_t bytes) {
  if (const uint32_t group = stars_.groupOf(source, destination); group != StarRoutes::None)
    if (const Figures &ofAll = ofStars_[group]; ofAll.source != UINT32_MAX) [[likely]]
      return ofAll;
  Figures &figures = place(source, destination);
  if (figures.source != source || figures.destination != destination) {
    figures = Figures();
    figures.source = source;
    figures.destination = destination;
    fill(figures);
  }
  if (figures.dead != UINT32_MAX) {
    CHECK(failed_, "someone to tell that a link is off");
    failed_({Failure::What::Link, links_[figures.dead].name, offBecause_[figures.dead],
             engine_.now(), source, destination, bytes});
  }
  return figures;
}

void RouteTable::profileChanged(const platform::ProfileUse &use,
                                const platform::Profile::Step &step) {
  if (use.kind == platform::ProfileKind::Bandwidth)
    links_[use.target].bandwidth = step.value;
  else if (use.kind == platform::ProfileKind::Latency)
    links_[use.target].latencySeconds = step.value;
  else
    offBecause_[use.target] =
        step.value > 0 ? ""
                       : fmt::format("{}:{}", platform_.profiles()[use.profile].file, step.line);
  std::fill(table_.begin(), table_.end(), Figures());
}

void RouteTable::fill(Figures &figures) {
  platform_.route(figures.source, figures.destination, route_);
  if (route_.links.empty()) {
    const bool loopback = figures.source == figures.destination && route_.latencySeconds == 0;
    CHECK(loopback || route_.latencySeconds > 0, "a route has links or a distance");
    figures.latencySeconds = loopback ? loopbackLatencySeconds_ : route_.latencySeconds;
    figures.bandwidth = loopback ? loopbackBandwidth_ : HUGE_VAL; // nothing limits a mere distance
    return;
  }
  figures.latencySeconds = route_.latencySeconds;
  figures.bandwidth = HUGE_VAL;
  const std::span<const platform::Link> links =
      links_.empty() ? platform_.links() : std::span<const platform::Link>(links_);
  for (platform::LinkIndex link : route_.links)
    figures.bandwidth = std::min(figures.bandwidth, links[link].bandwidth);
  if (links_.empty())
    return;
  figures.latencySeconds = route_.distanceSeconds;
  for (platform::LinkIndex link : route_.links) {
    figures.latencySeconds += links[link].latencySeconds;
    if (!offBecause_[link].empty())
      figures.dead = link;
  }
}

} // namespace gnomon::models
