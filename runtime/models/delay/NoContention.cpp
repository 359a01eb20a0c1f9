// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/NoContention.h"

#include <algorithm>
#include <cmath>

namespace gnomon::models {

double pieceWiseSeconds(const Parameters &parameters, const RouteTable::Figures &route,
                        uint64_t bytes) {
  const double size = static_cast<double>(bytes) + parameters.envelopeBytes;
  double bandwidth = route.bandwidth;
  if (parameters.tcpGammaBytes > 0 && route.latencySeconds > 0 && std::isfinite(bandwidth))
    bandwidth = std::min(bandwidth, parameters.tcpGammaBytes / (2 * route.latencySeconds));
  return parameters.latencyFactor(size) * route.latencySeconds +
         size / (parameters.bandwidthFactor(size) * bandwidth);
}

void NoContention::transfer(platform::HostIndex source, platform::HostIndex destination,
                            uint64_t bytes, kernel::Action done) {
  engine_.after(pieceWiseSeconds(parameters_, routes_.find(source, destination, bytes), bytes),
                done);
}

} // namespace gnomon::models
