// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/delay/Affine.h"

#include "models/delay/NoContention.h"

namespace gnomon::models {

namespace {
constexpr std::string_view DefaultFit = "default", BestFit = "best";
constexpr uint64_t GreatestFittedBytes = uint64_t{16} << 20;
} // namespace

Affine::Affine(kernel::Engine &engine, const platform::Platform &platform,
               const Parameters &parameters)
    : engine_(engine), parameters_(parameters), routes_(engine, platform, parameters) {
  const std::string &fit = parameters.affine.fit;
  if (fit != DefaultFit && fit != BestFit)
    fitted_ = fitAffine(readTimedSizes(fit));
}

AffineLine Affine::fitTo(const RouteTable::Figures &route) const {
  std::vector<TimedSize> points;
  for (uint64_t bytes = 1; bytes <= GreatestFittedBytes; bytes *= 2)
    points.push_back({static_cast<double>(bytes), pieceWiseSeconds(parameters_, route, bytes)});
  return fitAffine(points);
}

AffineLine Affine::lineOf(const RouteTable::Figures &route) {
  const Parameters::Affine &affine = parameters_.affine;
  AffineLine line{affine.latencyFactor * route.latencySeconds,
                  affine.bandwidthFactor * route.bandwidth};
  if (fitted_) {
    line = *fitted_;
  } else if (affine.fit == BestFit) {
    auto [entry, isNew] = fittedRoutes_.try_emplace({route.latencySeconds, route.bandwidth});
    if (isNew)
      entry->second = fitTo(route);
    line = entry->second;
  }
  return {affine.latencySeconds.value_or(line.latencySeconds),
          affine.bandwidth.value_or(line.bandwidth)};
}

void Affine::transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                      kernel::Action done) {
  const AffineLine line = lineOf(routes_.find(source, destination, bytes));
  engine_.after(line.seconds(static_cast<double>(bytes)), done);
}

} // namespace gnomon::models
