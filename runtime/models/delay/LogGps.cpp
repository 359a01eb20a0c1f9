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

LogGps::Wire LogGps::wire(HostIndex source, HostIndex destination, uint64_t bytes) {
  const RouteTable::Figures &route = routes_.find(source, destination, bytes);
  const double longGap = figures_.longGapSeconds.value_or(1 / route.bandwidth);
  const double shortGap = figures_.shortGapSeconds.value_or(longGap);
  const double size = static_cast<double>(bytes);
  const double shortPart = std::min(size, static_cast<double>(figures_.shortBytes));
  return {figures_.latencySeconds.value_or(route.latencySeconds),
          shortPart * shortGap + (size - shortPart) * longGap};
}

void LogGps::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                      kernel::Action done) {
  const Wire way = wire(source, destination, bytes);
  SimTime start = reservePorts(source, destination, engine_.now(), way);
  engine_.at(start + (way.latencySeconds + way.seconds), done);
}

void LogGps::rendezvous(HostIndex source, HostIndex destination, uint64_t bytes,
                        const Negotiation &negotiation, kernel::Action done) {
  if (bytes < figures_.synchronousBytes) // a synchronous send
    return transfer(source, destination, bytes, done);
  const Wire way = wire(source, destination, bytes);
  const double latency = way.latencySeconds, overhead = figures_.overheadSeconds;
  // Now is the later one of t_s and t_r.
  const SimTime requestThere = std::max(negotiation.posted + (latency + overhead), engine_.now());
  const SimTime ready =
      requestThere + (overhead + (2 * overhead + latency) + figures_.sendSeconds(bytes));
  SimTime start = reservePorts(source, destination, ready, way);
  engine_.at(start + (latency + way.seconds + figures_.receiveSeconds(bytes)), done);
}

/// When the message goes out, which is the first date from \p ready on at which both ports are free
/// of the messages before it.
SimTime LogGps::reservePorts(HostIndex source, HostIndex destination, SimTime ready,
                             const Wire &wire) {
  if (portFree_.empty() || source == destination)
    return ready; // Within a host no port is crossed.
  SimTime start =
      std::max({ready, portFree_[source], portFree_[destination] - wire.latencySeconds});
  portFree_[source] = start + wire.seconds;
  portFree_[destination] = start + (wire.latencySeconds + wire.seconds);
  return start;
}

} // namespace gnomon::models
