// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a network model offers to the message layer, and what it may be asked. Each model's equations and
/// source stand in its own header.
#pragma once

#include "kernel/Action.h"
#include "platform/Platform.h"

#include <cstdint>

namespace gnomon::models {

/// Costs and regimes that the protocol (room p2p) charges around a flow. Sizes are user bytes.
/// Source: Bedaride et al. 2013, section III; SMPI keys smpi/os, smpi/or, smpi/ois.
class ProtocolCosts {
public:
  virtual ~ProtocolCosts() = default;
  virtual double sendSeconds(uint64_t bytes) const = 0;            ///< os
  virtual double nonblockingSendSeconds(uint64_t bytes) const = 0; ///< ois
  virtual double receiveSeconds(uint64_t bytes) const = 0;         ///< or
};

class NetworkModel {
public:
  virtual ~NetworkModel() = default;

  /// Starts to move \p bytes (envelope included) from \p source to \p destination at the present date;
  /// \p done runs when the last byte has arrived.
  virtual void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                        kernel::Action done) = 0;
};

/// Time of CPU bursts.
class ComputeModel {
public:
  virtual ~ComputeModel() = default;
  /// Starts \p flops floating-point operations of one core on \p host; \p done runs at their end.
  virtual void compute(platform::HostIndex host, double flops, kernel::Action done) = 0;
};

} // namespace gnomon::models
