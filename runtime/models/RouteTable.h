// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Latency and bandwidth of the route between two hosts, for the models that need no more: the sum
/// of the links' latencies and the least of their bandwidths. A host that the platform gives no
/// route to itself has the parameters' loopback.
///
/// Profiles change the figures of messages that start later; messages under way keep theirs. A
/// message that starts on a link that is off is a Failure.
///
/// Between the hosts of a flat cluster all routes have the same figures (StarRoutes.h), which are kept
/// once. For other pairs there is a direct-mapped table of bounded size, so that a pair met again
/// costs a few nanoseconds and no allocation.
#pragma once

#include "models/Failure.h"
#include "models/Parameters.h"
#include "models/ProfilePlayer.h"
#include "models/StarRoutes.h"
#include "platform/Platform.h"

#include <vector>

namespace gnomon::models {

class RouteTable : private ProfileListener {
public:
  struct Figures {
    platform::HostIndex source = UINT32_MAX;
    platform::HostIndex destination = UINT32_MAX;
    double latencySeconds = 0;
    double bandwidth = 0;                  ///< bytes/s
    platform::LinkIndex dead = UINT32_MAX; ///< a link of the route that is off
  };

  RouteTable(kernel::Engine &engine, const platform::Platform &platform,
             const Parameters &parameters);

  void onFailure(FailureHandler handler) { failed_ = handler; }

  /// For a message of \p bytes that starts now. Valid until the next call.
  const Figures &find(platform::HostIndex source, platform::HostIndex destination,
                      uint64_t bytes = 0);

private:
  Figures &place(platform::HostIndex source, platform::HostIndex destination);
  void fill(Figures &figures);
  void profileChanged(const platform::ProfileUse &use,
                      const platform::Profile::Step &step) override;

  kernel::Engine &engine_;
  const platform::Platform &platform_;
  double loopbackLatencySeconds_;
  double loopbackBandwidth_;
  StarRoutes stars_;             ///< none where links change
  std::vector<Figures> ofStars_; ///< of the routes within each group; without source: not known yet
  std::vector<Figures> table_;   ///< by a hash of the pair
  platform::Route route_;
  /// The links' present figures, and why one is off; empty when there are no profiles.
  std::vector<platform::Link> links_;
  std::vector<std::string> offBecause_;
  FailureHandler failed_ = nullptr;
  ProfilePlayer profiles_;
};

} // namespace gnomon::models
