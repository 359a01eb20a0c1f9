// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// LogGPS: delays without a topology, overheads of the CPU, two thresholds, one port per host.
///
/// For k user bytes:
///     T1 = o + k Os                                            sender's CPU
///     T2 = L + k g                    (k < s)                  the wire
///        = L + s g + (k - s) G        (otherwise)
///     T3 = o + k Or                                            receiver's CPU
///     k < S    asynchronous: the sender is let go after T1; the message starts to move then; the
///              receiver pays T3 when it has arrived
///     k >= S   rendezvous: the request, sent at t_s, is handled when it is there and the receive,
///              posted at t_r, is too; then the answer travels, then the message:
///              T4  = max(L + o, t_r - t_s) + o,  T5 = 2 o + L
///              end = t_s + T4 + T5 + T1 + T2 + T3; it holds both sides until then
/// A nonblocking send costs its CPU o only. With `loggps/single-port` (the default) a host sends or
/// receives one message at a time, in the order of their starts: a message occupies the sender's
/// port for w = T2 - L and the receiver's port for w, L later; it starts when both are free.
///
/// L, g, G that are not given are those of the platform's route: L the sum of the latencies,
/// G = g = 1 / B.
///
/// Source: Ino, Fujimoto, Hagihara 2001, as figure 1 of Bedaride et al. 2013 (section II-B) states
/// it: T1 to T5 are the figure's; that a rendezvous is request, answer and message, one after the
/// other, is our reading of T4 and T5. A synchronous send of fewer than S bytes pays T1 and T2
/// only.
///
/// Worked example: L = 10 us, o = 1 us, Os = Or = 0, g = 2 ns, G = 1 ns, s = 1000, S = 65536.
///     3000 bytes:     sender 1 us, wire 10 + 2 + 2 = 14 us, receiver 1 us: 16 us
///     100,000 bytes:  20 + 4 + 1 + (10 + 2 + 99) + 1 = 137 us
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/Protocol.h"
#include "models/RouteTable.h"

#include <vector>

namespace gnomon::models {

class LogGps : public NetworkModel {
public:
  LogGps(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override { routes_.onFailure(handler); }
  void rendezvous(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                  const Negotiation &negotiation, kernel::Action done) override;

private:
  struct Wire {
    double latencySeconds, seconds; ///< T2 is their sum
  };
  Wire wire(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes);
  SimTime reservePorts(platform::HostIndex source, platform::HostIndex destination, SimTime ready,
                       const Wire &wire);

  kernel::Engine &engine_;
  Parameters::LogGps figures_;
  RouteTable routes_;
  std::vector<SimTime> portFree_; ///< by host; empty when ports are not limited
};

/// The overheads and the threshold S of LogGPS.
class LogGpsProtocol : public Protocol {
public:
  explicit LogGpsProtocol(const Parameters &parameters)
      : Protocol(parameters), figures_(parameters.logGps) {}

  double sendSeconds(uint64_t bytes) const override {
    return bytes < figures_.synchronousBytes ? figures_.sendSeconds(bytes) : 0;
  }
  double nonblockingSendSeconds(uint64_t) const override { return figures_.overheadSeconds; }
  double receiveSeconds(uint64_t bytes) const override {
    return bytes < figures_.synchronousBytes ? figures_.receiveSeconds(bytes) : 0;
  }
  bool takesCpuTime() const override {
    return figures_.overheadSeconds > 0 || figures_.sendPerByteSeconds > 0 ||
           figures_.receivePerByteSeconds > 0;
  }
  uint64_t asyncSmallBytes() const override { return figures_.synchronousBytes; }
  uint64_t detachedBytes() const override { return figures_.synchronousBytes; }

private:
  Parameters::LogGps figures_;
};

} // namespace gnomon::models
