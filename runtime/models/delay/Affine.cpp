// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/Affine.h"

namespace gnomon::models {

void Affine::transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                      kernel::Action done) {
  const RouteTable::Figures &route = routes_.find(source, destination, bytes);
  const double alpha = line_.latencySeconds.value_or(line_.latencyFactor * route.latencySeconds);
  const double beta = line_.bandwidth.value_or(line_.bandwidthFactor * route.bandwidth);
  engine_.after(alpha + static_cast<double>(bytes) / beta, done);
}

} // namespace gnomon::models
