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
/// curve: give them by the keys (docs/models.md has a fit to the piece-wise curve).
/// Source: Clauss et al. 2011, section 4.1 (equation) and 7.1.1 (both instantiations).
///
/// Worked example: 1 MB over two links of 24 us and 125 MB/s: 2.01467 × 48 us + 1 MB / (0.92 × 125
/// MB/s) = 96.70 us + 8695.65 us = 8792.36 us.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/RouteTable.h"

namespace gnomon::models {

class Affine : public NetworkModel {
public:
  Affine(kernel::Engine &engine, const platform::Platform &platform, const Parameters &parameters)
      : engine_(engine), line_(parameters.affine), routes_(engine, platform, parameters) {}

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override { routes_.onFailure(handler); }

private:
  kernel::Engine &engine_;
  Parameters::Affine line_;
  RouteTable routes_;
};

} // namespace gnomon::models
