// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The affine model, which most simulators of MPI use: no sharing, one line for all sizes.
///
/// A message of b user bytes over a route with latency L (sum) and bandwidth B (least):
///     alpha    `affine/latency`, or `affine/latency-factor` × L
///     beta     `affine/bandwidth`, or `affine/bandwidth-factor` × B
///     end      start + alpha + b / beta
/// The default factors are the paper's "default affine": alpha is the time of a message of 1 byte
/// (2.01467 L on the cluster it was calibrated on), beta what TCP reaches of the peak (0.92 B). The
/// paper's "best-fit affine" takes the alpha and beta of least mean logarithmic error to a measured
/// curve (AffineFit.h): `affine/fit=FILE` fits them to the times of FILE, for all routes;
/// `affine/fit=best`, for each route, to what the piece-wise model (NoContention.h) gives for 1, 2,
/// 4, … bytes to 16 MiB there. `affine/latency` and `affine/bandwidth` win over both.
/// Source: Clauss et al. 2011, section 4.1 (equation) and 7.1.1 (both instantiations).
///
/// Worked example: 1 MB over two links of 24 us and 125 MB/s:
///     2.01467 × 48 us + 1 MB / (0.92 × 125 MB/s) = 96.70 us + 8695.65 us = 8792.36 us.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/RouteTable.h"
#include "models/delay/AffineFit.h"

#include <map>
#include <optional>
#include <utility>

namespace gnomon::models {

class Affine : public NetworkModel {
public:
  /// Throws InputError about the file of `affine/fit`.
  Affine(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters);

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override { routes_.onFailure(handler); }

private:
  AffineLine lineOf(const RouteTable::Figures &route);
  AffineLine fitTo(const RouteTable::Figures &route) const;

  kernel::Engine &engine_;
  Parameters parameters_;
  std::optional<AffineLine> fitted_;                             ///< to a file
  std::map<std::pair<double, double>, AffineLine> fittedRoutes_; ///< by latency and bandwidth
  RouteTable routes_;
};

} // namespace gnomon::models
