// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/collectives/PsinsCollectives.h"

#include "models/collectives/Growth.h"

#include <algorithm>

namespace gnomon::models {

namespace {

Growth growthOf(std::string_view collective) {
  for (std::string_view name : {"barrier", "bcast", "reduce", "allreduce", "scan", "exscan"})
    if (collective == name)
      return Growth::Logarithmic;
  return Growth::Linear;
}

} // namespace

double PsinsCollectives::seconds(const CollectiveCall &call) {
  const platform::HostIndex first = call.hosts.front();
  const bool local = std::ranges::all_of(call.hosts, [&](auto host) { return host == first; });
  double latency = 0, bandwidth = __builtin_huge_val();
  for (platform::HostIndex host : call.hosts) {
    if (host == first && !local)
      continue;
    const RouteTable::Figures &route = routes_.find(first, host);
    latency = std::max(latency, machine_.latency(local, route.latencySeconds));
    bandwidth = std::min(bandwidth, machine_.bandwidthOf(local, route.bandwidth));
  }
  return steps(growthOf(call.name), call.hosts.size()) *
         (latency + static_cast<double>(call.bytes) / bandwidth);
}

} // namespace gnomon::models
