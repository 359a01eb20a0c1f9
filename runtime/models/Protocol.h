// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The protocol's costs and regimes as SMPI's parameters give them (Bedaride et al. 2013, section
/// III): piece-wise linear in the user's bytes, zero by default.
#pragma once

#include "models/NetworkModel.h"
#include "models/Parameters.h"

namespace gnomon::models {

class Protocol : public ProtocolCosts {
public:
  explicit Protocol(const Parameters &parameters) : parameters_(parameters) {}

  double sendSeconds(uint64_t bytes) const override {
    return parameters_.sendCost(static_cast<double>(bytes));
  }
  double nonblockingSendSeconds(uint64_t bytes) const override {
    return parameters_.nonblockingSendCost(static_cast<double>(bytes));
  }
  double receiveSeconds(uint64_t bytes) const override {
    return parameters_.receiveCost(static_cast<double>(bytes));
  }
  bool takesCpuTime() const override {
    return !(parameters_.sendCost.isZero() && parameters_.nonblockingSendCost.isZero() &&
             parameters_.receiveCost.isZero());
  }
  uint64_t asyncSmallBytes() const override { return parameters_.asyncSmallBytes; }
  uint64_t detachedBytes() const override { return parameters_.detachedBytes; }
  double wtimeSeconds() const override { return parameters_.wtimeSeconds; }
  double testSeconds() const override { return parameters_.testSeconds; }
  double iprobeSeconds() const override { return parameters_.iprobeSeconds; }
  double initSeconds() const override { return parameters_.initSeconds; }

private:
  Parameters parameters_;
};

} // namespace gnomon::models
