// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/LogGps.h"

#include <algorithm>

namespace gnomon::models {

using platform::HostIndex;

LogGps::LogGps(kernel::Engine &engine, const platform::Platform &platform,
               const Parameters &parameters)
    : engine_(engine), figures_(parameters.logGps), routes_(engine, platform, parameters) {
  if (figures_.singlePort)
    portFree_.resize(platform.hosts().size());
}

void LogGps::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                      kernel::Action done) {
  const RouteTable::Figures &route = routes_.find(source, destination, bytes);
  const double latency = figures_.latencySeconds.value_or(route.latencySeconds);
  const double longGap = figures_.longGapSeconds.value_or(1 / route.bandwidth);
  const double shortGap = figures_.shortGapSeconds.value_or(longGap);
  const double size = static_cast<double>(bytes);
  const double shortPart = std::min(size, static_cast<double>(figures_.shortBytes));
  const double wire = shortPart * shortGap + (size - shortPart) * longGap;

  double before = 0, after = 0;
  if (bytes >= figures_.synchronousBytes) {
    before = 2 * latency + 4 * figures_.overheadSeconds + figures_.sendSeconds(bytes);
    after = figures_.receiveSeconds(bytes);
  }
  SimTime start = reservePorts(source, destination, engine_.now() + before, latency, wire);
  engine_.at(start + (latency + wire + after), done);
}

/// When the message goes out, which is the first date from \p ready on at which both ports are free
/// of the messages before it.
SimTime LogGps::reservePorts(HostIndex source, HostIndex destination, SimTime ready,
                             double latencySeconds, double wireSeconds) {
  if (portFree_.empty() || source == destination)
    return ready; // Within a host no port is crossed.
  SimTime start = std::max({ready, portFree_[source], portFree_[destination] - latencySeconds});
  portFree_[source] = start + wireSeconds;
  portFree_[destination] = start + (latencySeconds + wireSeconds);
  return start;
}

} // namespace gnomon::models
