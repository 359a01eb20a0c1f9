// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/Pmac.h"

#include <algorithm>

namespace gnomon::models {

using platform::HostIndex;

Pmac::Pmac(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters)
    : engine_(engine), machine_(parameters.psins), routes_(engine, platform, parameters),
      collectives_(engine, platform, parameters), outgoing_(platform.hosts().size()),
      incoming_(platform.hosts().size()) {}

void Pmac::transfer(HostIndex source, HostIndex destination, uint64_t bytes, kernel::Action done) {
  const RouteTable::Figures &route = routes_.find(source, destination, bytes);
  const bool local = source == destination;
  const double latency = machine_.latency(local, route.latencySeconds);
  double bandwidth = machine_.bandwidthOf(local, route.bandwidth);
  if (local) {
    engine_.after(latency + static_cast<double>(bytes) / bandwidth, done);
    return;
  }
  ++underWay_;
  ++outgoing_[source];
  ++incoming_[destination];
  bandwidth *= scale(source, destination);

  uint32_t index;
  if (freeMessages_.empty()) {
    index = static_cast<uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    index = freeMessages_.back();
    freeMessages_.pop_back();
  }
  messages_[index] = {done, source, destination};
  engine_.after(latency + static_cast<double>(bytes) / bandwidth,
                kernel::Action::of<&Pmac::arrive>(this, index));
}

double Pmac::scale(HostIndex source, HostIndex destination) const {
  auto share = [](uint64_t resources, uint64_t users) {
    return resources == 0 ? 1 : static_cast<double>(resources) / static_cast<double>(users);
  };
  return std::min({1.0, share(machine_.buses, underWay_),
                   share(machine_.outLinks, outgoing_[source]),
                   share(machine_.inLinks, incoming_[destination])});
}

void Pmac::arrive(uint64_t index) {
  const Message message = messages_[index];
  freeMessages_.push_back(static_cast<uint32_t>(index));
  --underWay_;
  --outgoing_[message.source];
  --incoming_[message.destination];
  message.done();
}

} // namespace gnomon::models
