// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// PSINS's PMaC model: the best bandwidth, scaled down by the messages that are under way when a
/// message starts.
///
/// A message of b user bytes between two nodes that starts at t, with the figures L and B and the
/// numbers of resources of Psins.h:
///     m      messages between nodes under way, this one included
///     m_out  those of them out of the sender's node;  m_in  into the receiver's node
///     x      B × min(1, buses / m, out-links / m_out, in-links / m_in)     (0 resources: no limit)
///     end    t + L + b / x
/// x does not change when messages start or end later. Within a node as in Psins.h.
///
/// Source: Tikir et al. 2009, section 3.1.1, which says that the bandwidth is scaled by the
/// outstanding messages and the load of busses and links, and gives no formula: that each resource
/// is divided evenly is our reading. Collectives: collectives/PsinsCollectives.h, and its curves
/// fitted to measurements by `--coll-model` (collectives/CurveFile.h).
///
/// Worked example: one bus, L = 1 ms, B = 100 MB/s, two messages of 10 MB at t = 0: the first has
/// x = 100 MB/s and ends at 101 ms, the second x = 50 MB/s and ends at 201 ms.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/RouteTable.h"
#include "models/collectives/PsinsCollectives.h"

#include <vector>

namespace gnomon::models {

class Pmac : public NetworkModel {
public:
  Pmac(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override {
    routes_.onFailure(handler);
    collectives_.onFailure(handler);
  }
  CollectiveTimes *collectives() override { return &collectives_; }

private:
  struct Message {
    kernel::Action done;
    platform::HostIndex source, destination;
  };

  double scale(platform::HostIndex source, platform::HostIndex destination) const;
  void arrive(uint64_t index);

  kernel::Engine &engine_;
  Parameters::Psins machine_;
  RouteTable routes_;
  PsinsCollectives collectives_;
  uint64_t underWay_ = 0;
  std::vector<uint64_t> outgoing_, incoming_; ///< of those under way, by host
  std::vector<Message> messages_;
  std::vector<uint32_t> freeMessages_;
};

} // namespace gnomon::models
