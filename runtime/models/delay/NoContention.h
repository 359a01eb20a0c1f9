// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The piece-wise model without sharing: every message moves as if it were alone. Beside `smpi` it
/// shows what contention is worth.
///
/// A message of b user bytes over a route with latency L (sum) and bandwidth B (least):
///     size        s = b + 16
///     latency     T = latencyFactor(s) × L
///     rate        r = bandwidthFactor(s) × min(B, gamma / (2 L))     (no window when gamma L = 0)
///     end         start + T + s / r
/// Source: Clauss et al. 2011, section 4.1 (piece-wise linear).
///
/// Worked example: 1 byte over two links of 24 us and 125 MB/s:
///     s = 17, T = 2.01467 × 48 us = 96.70416 us, r = 0.812084 × 125 MB/s: 96.8716 us,
/// whatever else moves.
#pragma once

#include "kernel/Engine.h"
#include "models/NetworkModel.h"
#include "models/RouteTable.h"

namespace gnomon::models {

/// How long a message of \p bytes takes alone on \p route.
double pieceWiseSeconds(const Parameters &parameters, const RouteTable::Figures &route,
                        uint64_t bytes);

class NoContention : public NetworkModel {
public:
  NoContention(kernel::Engine &engine, const platform::Platform &platform,
               const Parameters &parameters)
      : engine_(engine), parameters_(parameters), routes_(engine, platform, parameters) {}

  void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                kernel::Action done) override;
  void onFailure(FailureHandler handler) override { routes_.onFailure(handler); }

private:
  kernel::Engine &engine_;
  Parameters parameters_;
  RouteTable routes_;
};

} // namespace gnomon::models
