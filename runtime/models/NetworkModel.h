// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a network model offers to the message layer, and what it may be asked. Each model's
/// equations and source stand in its own header; docs/models.md has them all.
#pragma once

#include "kernel/Action.h"
#include "models/Failure.h"
#include "platform/Platform.h"

#include <cstdint>

namespace gnomon::models {

/// Costs and regimes that the protocol (room p2p) charges around a flow. Sizes are the user's
/// payload, without envelope. Source: Bedaride et al. 2013, section III; SMPI keys in brackets.
class ProtocolCosts {
public:
  virtual ~ProtocolCosts() = default;
  /// CPU time of a blocking send before the message is posted [smpi/os].
  virtual double sendSeconds(uint64_t bytes) const = 0;
  /// CPU time of a nonblocking or detached send before the message is posted [smpi/ois].
  virtual double nonblockingSendSeconds(uint64_t bytes) const = 0;
  /// CPU time of a receive after a detached message has arrived [smpi/or].
  virtual double receiveSeconds(uint64_t bytes) const = 0;
  /// A message of fewer bytes starts to move before its receive is posted
  /// [smpi/async-small-thresh].
  virtual uint64_t asyncSmallBytes() const = 0;
  /// A standard send of fewer bytes is detached: it returns at once, the payload copied
  /// [smpi/send-is-detached-thresh].
  virtual uint64_t detachedBytes() const = 0;
  virtual double wtimeSeconds() const = 0;  ///< simulated time of one MPI_Wtime [smpi/wtime]
  virtual double testSeconds() const = 0;   ///< of one unsuccessful MPI_Test [smpi/test]
  virtual double iprobeSeconds() const = 0; ///< of one unsuccessful MPI_Iprobe [smpi/iprobe]
  virtual double initSeconds() const = 0;   ///< of MPI_Init [smpi/init]
};

class NetworkModel {
public:
  virtual ~NetworkModel() = default;

  /// Starts to move a message with \p bytes of payload from \p source to \p destination at the
  /// present date;
  /// \p done runs (as an event, never inside this call) when the last byte has arrived. The model
  /// adds the envelope.
  virtual void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                        kernel::Action done) = 0;
  /// Who is told when a link that a message needs is off. A model that knows no links never tells.
  virtual void onFailure(FailureHandler) {}
};

/// Time of CPU bursts.
class ComputeModel {
public:
  virtual ~ComputeModel() = default;
  /// Starts \p flops floating-point operations of one core on \p host; \p done runs at their end.
  virtual void compute(platform::HostIndex host, double flops, kernel::Action done) = 0;
};

} // namespace gnomon::models
