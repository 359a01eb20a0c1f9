// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/NoContention.h"

#include <algorithm>
#include <cmath>

namespace gnomon::models {

void NoContention::transfer(platform::HostIndex source, platform::HostIndex destination,
                            uint64_t bytes, kernel::Action done) {
  const RouteTable::Figures &route = routes_.find(source, destination, bytes);
  const double size = static_cast<double>(bytes) + parameters_.envelopeBytes;
  double bandwidth = route.bandwidth;
  if (parameters_.tcpGammaBytes > 0 && route.latencySeconds > 0 && std::isfinite(bandwidth))
    bandwidth = std::min(bandwidth, parameters_.tcpGammaBytes / (2 * route.latencySeconds));
  engine_.after(parameters_.latencyFactor(size) * route.latencySeconds +
                    size / (parameters_.bandwidthFactor(size) * bandwidth),
                done);
}

} // namespace gnomon::models
