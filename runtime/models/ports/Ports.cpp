// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/ports/Ports.h"

#include "support/Random.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::models {

using kernel::Action;
using platform::HostIndex;

Ports::Ports(kernel::Engine &engine, const platform::Platform &platform,
             const Parameters &parameters)
    : engine_(engine), platform_(platform), figures_(parameters.ports), node_(parameters.portsNode),
      eagerBelow_(parameters.detachedBytes), endpoints_(platform),
      wire_(engine, platform, parameters, endpoints_),
      profiles_(engine, platform, ProfilePlayer::Of::Links, *this) {
  if (!profiles_.empty())
    profiles_.start();
}

void Ports::profileChanged(const platform::ProfileUse &use, const platform::Profile::Step &step) {
  switch (use.kind) {
  case platform::ProfileKind::Bandwidth:
    return wire_.setBandwidth(use.target, step.value);
  case platform::ProfileKind::Latency:
    return wire_.setLatency(use.target, step.value);
  default:
    return wire_.setOff(
        use.target, step.value > 0
                        ? std::string()
                        : fmt::format("{}:{}", platform_.profiles()[use.profile].file, step.line));
  }
}

/// How long software takes to notice: exponentially distributed.
double Ports::hesitation() {
  if (figures_.jitterSeconds == 0)
    return 0;
  return randomExponential(figures_.seed, drawn_++) * figures_.jitterSeconds;
}

bool Ports::isWithinHost(HostIndex source, HostIndex destination) const {
  return endpoints_.host(source) == endpoints_.host(destination);
}

void Ports::withinHost(uint64_t bytes, Action done) {
  // The first section begins above 0 bytes.
  engine_.after(node_(std::max(static_cast<double>(bytes), 1.0)), done);
}

void Ports::expect(HostIndex source, HostIndex destination) {
  if (!isWithinHost(source, destination))
    wire_.expect(source, destination);
}

void Ports::transfer(HostIndex source, HostIndex destination, uint64_t bytes, Action done) {
  if (isWithinHost(source, destination))
    return withinHost(bytes, done);
  wire_.send(wire_.connection(source, destination),
             static_cast<double>(bytes) + figures_.headerBytes, hesitation(), done);
}

/// Whether a message goes without negotiation. A synchronous send of a short one does, too.
bool Ports::isEager(HostIndex source, HostIndex destination, uint64_t bytes) const {
  return bytes < eagerBelow_ || isWithinHost(source, destination);
}

uint32_t Ports::request(HostIndex source, HostIndex destination, uint64_t bytes) {
  const uint32_t exchange = exchanges_.take({source, destination, bytes, {}, {}});
  wire_.send(wire_.connection(source, destination), figures_.requestBytes, hesitation(),
             Action::of<&Ports::onRequest>(this, exchange));
  return exchange;
}

uint32_t Ports::announce(HostIndex source, HostIndex destination, uint64_t bytes) {
  return isEager(source, destination, bytes) ? 0 : request(source, destination, bytes) + 1;
}

void Ports::forget(uint32_t announced) {
  if (exchanges_[announced - 1].requested)
    exchanges_.give(announced - 1);
  else
    exchanges_[announced - 1].forgotten = true;
}

void Ports::rendezvous(HostIndex source, HostIndex destination, uint64_t bytes,
                       const Negotiation &negotiation, Action done) {
  if (isEager(source, destination, bytes))
    return transfer(source, destination, bytes, done);
  const uint32_t number =
      negotiation.announced ? negotiation.announced - 1 : request(source, destination, bytes);
  Exchange &exchange = exchanges_[number];
  exchange.released = negotiation.released;
  exchange.done = done;
  exchange.received = true;
  if (exchange.requested)
    answer(number); // by the receiver, which has just come
}

void Ports::onRequest(uint64_t number) {
  Exchange &exchange = exchanges_[number];
  exchange.requested = true;
  if (exchange.forgotten)
    exchanges_.give(static_cast<uint32_t>(number));
  else if (exchange.received)
    answer(number);
}

void Ports::answer(uint64_t exchange) {
  const Exchange &e = exchanges_[exchange];
  wire_.send(wire_.connection(e.destination, e.source), figures_.answerBytes, hesitation(),
             Action::of<&Ports::sendData>(this, exchange));
}

void Ports::sendData(uint64_t number) {
  const Exchange exchange = exchanges_[number];
  exchanges_.give(static_cast<uint32_t>(number));
  wire_.send(wire_.connection(exchange.source, exchange.destination),
             static_cast<double>(exchange.bytes) + figures_.headerBytes, hesitation(),
             exchange.done, exchange.released);
}

} // namespace gnomon::models
