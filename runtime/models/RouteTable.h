// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Latency and bandwidth of the route between two hosts, for the models that need no more: the sum
/// of the links' latencies and the least of their bandwidths. A host that the platform gives no
/// route to itself has the parameters' loopback.
///
/// A direct-mapped table of bounded size, so that a pair met again costs a few nanoseconds and no
/// allocation.
#pragma once

#include "models/Parameters.h"
#include "platform/Platform.h"

#include <vector>

namespace gnomon::models {

class RouteTable {
public:
  struct Figures {
    platform::HostIndex source = UINT32_MAX;
    platform::HostIndex destination = UINT32_MAX;
    double latencySeconds = 0;
    double bandwidth = 0; ///< bytes/s
  };

  RouteTable(const platform::Platform &platform, const Parameters &parameters);

  /// Valid until the next call.
  const Figures &find(platform::HostIndex source, platform::HostIndex destination);

private:
  void fill(Figures &figures);

  const platform::Platform &platform_;
  double loopbackLatencySeconds_;
  double loopbackBandwidth_;
  std::vector<Figures> table_; ///< by a hash of the pair
  platform::Route route_;
};

} // namespace gnomon::models
