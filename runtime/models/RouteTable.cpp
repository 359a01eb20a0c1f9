// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/RouteTable.h"

#include "support/Check.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gnomon::models {

using platform::HostIndex;

namespace {
constexpr size_t SmallestTable = 1 << 6;
constexpr size_t LargestTable = 1 << 18;
/// Partners that a host has in common patterns.
constexpr size_t PairsPerHost = 16;
} // namespace

RouteTable::RouteTable(const platform::Platform &platform, const Parameters &parameters)
    : platform_(platform), loopbackLatencySeconds_(parameters.loopbackLatencySeconds),
      loopbackBandwidth_(parameters.loopbackBandwidth),
      table_(std::clamp(std::bit_ceil(platform.hosts().size() * PairsPerHost), SmallestTable,
                        LargestTable)) {}

const RouteTable::Figures &RouteTable::find(HostIndex source, HostIndex destination) {
  // Fibonacci hashing.
  uint64_t hash = (uint64_t{source} << 32 | destination) * 0x9e3779b97f4a7c15u;
  Figures &figures = table_[(hash >> 32) & (table_.size() - 1)];
  if (figures.source != source || figures.destination != destination) {
    figures.source = source;
    figures.destination = destination;
    fill(figures);
  }
  return figures;
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
  figures.bandwidth = platform_.links()[route_.links.front()].bandwidth;
  for (platform::LinkIndex link : route_.links)
    figures.bandwidth = std::min(figures.bandwidth, platform_.links()[link].bandwidth);
}

} // namespace gnomon::models
