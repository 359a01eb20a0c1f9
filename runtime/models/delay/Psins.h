// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The models of PSINS: computation nodes with incoming and outgoing links, joined by busses.
///
/// A message of b user bytes between two nodes, with the best achievable latency L and bandwidth B:
///     simple      end = t + L + b / B
///     bus         end = t' + L + b / B, where t' >= t is the first date at which one of the
///                 `psins/buses` busses is free; the message holds it for b / B
///     in-link     the same with the `psins/in-links` links into the receiver's node
///     out-link    the same with the `psins/out-links` links out of the sender's node
/// Within a node: t + local latency + b / local bandwidth, without resources. Messages are
/// scheduled in the order in which they start. L and B are `psins/latency` and `psins/bandwidth`,
/// and the local ones `psins/local-latency` and `psins/local-bandwidth`; those not given are the
/// route's (sum of latencies, least bandwidth). A number of resources of 0 means no limit.
///
/// Source: Tikir, Laurenzano, Carrington, Snavely 2009, sections 2.3.1 and 3.1. The paper gives no
/// formulas; that a resource is held for the body only, and not for the latency, is our reading.
/// Collectives: collectives/PsinsCollectives.h.
///
/// Worked example: two messages of 10 MB at t = 0, L = 1 ms, B = 100 MB/s.
///     simple: both end at 101 ms
///     bus, with one bus: the first ends at 101 ms, the second starts at 100 ms and ends at 201 ms
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/RouteTable.h"
#include "models/collectives/PsinsCollectives.h"

#include <vector>

namespace gnomon::models {

/// Equal resources of which each message takes one, the one that is free first.
class EarliestFree {
public:
  /// When the resource is had that is held for \p seconds from then on, not before \p now.
  /// \p most: how many resources there are; 0: no limit. Costs O(log of those used at once).
  SimTime take(SimTime now, double seconds, uint64_t most);

private:
  std::vector<SimTime> free_; ///< a heap, the earliest first; grows with what is used at once
};

class Psins : public NetworkModel {
public:
  enum class Resource : uint8_t { None, Bus, InLink, OutLink };

  Psins(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters,
        Resource resource);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override {
    routes_.onFailure(handler);
    collectives_.onFailure(handler);
  }
  CollectiveTimes *collectives() override { return &collectives_; }

private:
  kernel::Engine &engine_;
  Parameters::Psins machine_;
  Resource resource_;
  uint64_t most_ = 0;
  RouteTable routes_;
  PsinsCollectives collectives_;
  std::vector<EarliestFree> resources_; ///< one for all (bus), or by host (links)
};

} // namespace gnomon::models
