// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/Psins.h"

#include <algorithm>
#include <functional>

namespace gnomon::models {

using platform::HostIndex;

SimTime EarliestFree::take(SimTime now, double seconds, uint64_t most) {
  SimTime start = now;
  if (!free_.empty() && (free_.front() <= now || free_.size() == most)) {
    start = std::max(now, free_.front());
    std::pop_heap(free_.begin(), free_.end(), std::greater<>());
    free_.back() = start + seconds;
  } else if (most > 0) {
    free_.push_back(start + seconds);
  }
  std::push_heap(free_.begin(), free_.end(), std::greater<>());
  return start;
}

Psins::Psins(kernel::Engine &engine, const platform::Platform &platform,
             const Parameters &parameters, Resource resource)
    : engine_(engine), machine_(parameters.psins), resource_(resource),
      routes_(engine, platform, parameters), collectives_(engine, platform, parameters) {
  switch (resource) {
  case Resource::None:
    break;
  case Resource::Bus:
    most_ = machine_.buses;
    resources_.resize(1);
    break;
  case Resource::InLink:
    most_ = machine_.inLinks;
    resources_.resize(platform.hosts().size());
    break;
  case Resource::OutLink:
    most_ = machine_.outLinks;
    resources_.resize(platform.hosts().size());
    break;
  }
}

void Psins::transfer(HostIndex source, HostIndex destination, uint64_t bytes, kernel::Action done) {
  const RouteTable::Figures &route = routes_.find(source, destination, bytes);
  const bool local = source == destination;
  const double latency = machine_.latency(local, route.latencySeconds);
  const double body = static_cast<double>(bytes) / machine_.bandwidthOf(local, route.bandwidth);
  SimTime start = engine_.now();
  if (!local && most_ > 0) {
    size_t index = resource_ == Resource::Bus      ? 0
                   : resource_ == Resource::InLink ? destination
                                                   : source;
    start = resources_[index].take(start, body, most_);
  }
  engine_.at(start + (latency + body), done);
}

} // namespace gnomon::models
