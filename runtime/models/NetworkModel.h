// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a network model offers to the message layer, and what it may be asked. Each model's
/// equations and source stand in its own header; docs/models.md has them all.
#pragma once

#include "kernel/Action.h"
#include "models/Failure.h"
#include "platform/Platform.h"
#include "support/Time.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
  /// Whether any of these three is ever more than zero: asked once, so that no message asks them
  /// where all are.
  virtual bool takesCpuTime() const { return true; }
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

/// A collective operation that all its ranks have entered.
struct CollectiveCall {
  std::string_view name;                      ///< as in --coll: "allreduce"
  std::span<const platform::HostIndex> hosts; ///< by rank of the communicator
  uint64_t bytes; ///< the largest block that a rank sends to another; of a reduction, the vector
};

/// Times collectives as wholes, for models that know how long one takes but not by which messages.
/// Such a collective is an event that synchronises its ranks; its data moves all the same
/// (coll/Timed.h).
class CollectiveTimes {
public:
  virtual ~CollectiveTimes() = default;
  /// Whether seconds() knows \p collective; the same for all its calls.
  virtual bool times(std::string_view collective) const = 0;
  /// From when the last rank has entered until all may leave.
  virtual double seconds(const CollectiveCall &call) = 0;
};

/// Ends the run because a model cannot go on; does not return.
using BrokenHandler = void (*)(const std::string &why);

class NetworkModel {
public:
  virtual ~NetworkModel() = default;

  /// What the model knows of whole collectives; null: they are made of messages.
  virtual CollectiveTimes *collectives() { return nullptr; }
  /// For models with foreign code in them. Called once, before the first transfer.
  virtual void whenBroken(BrokenHandler /*handler*/) {}

  /// Who is told when a link that a message needs is off. A model that knows no links never tells.
  virtual void onFailure(FailureHandler) {}

  /// What stands for one more rank on \p host as source and destination below: the host, or a
  /// number beyond all hosts of a model that tells the ranks of a host apart. Asked once for each
  /// rank, in their order. A host's own number goes for what is no rank's (files).
  virtual platform::HostIndex endpoint(platform::HostIndex host) { return host; }

  /// Starts to move a message with \p bytes of payload from \p source to \p destination at the
  /// present date; \p done runs (as an event, never inside this call) when the last byte has
  /// arrived. The model adds the envelope.
  virtual void transfer(platform::HostIndex source, platform::HostIndex destination, uint64_t bytes,
                        kernel::Action done) = 0;
  /// A message is about to be moved: asks the processor for what that will touch. With many messages
  /// under way only; nothing may hang on it.
  virtual void expect(platform::HostIndex /*source*/, platform::HostIndex /*destination*/) {}
  /// What is known of a message whose sender waits for its end.
  struct Negotiation {
    SimTime posted;          ///< since when its sender has waited for its receiver
    uint32_t announced = 0;  ///< what announce() gave; 0: its receiver was there before it
    kernel::Action released; ///< lets the sender go
  };
  /// Whether announce() wants to be told.
  virtual bool announces() const { return false; }
  /// A message has been posted whose sender will wait for its end, and its receiver is not there.
  /// Gives a number above 0 for rendezvous(), or for forget() when the send is cancelled.
  virtual uint32_t announce(platform::HostIndex /*source*/, platform::HostIndex /*destination*/,
                            uint64_t /*bytes*/) {
    return 0;
  }
  virtual void forget(uint32_t /*announced*/) {}
  /// transfer() for a message whose sender waits for its end. `released` runs once before \p done,
  /// or never, and then \p done lets both go.
  virtual void rendezvous(platform::HostIndex source, platform::HostIndex destination,
                          uint64_t bytes, const Negotiation & /*negotiation*/,
                          kernel::Action done) {
    transfer(source, destination, bytes, done);
  }
};

/// Time of CPU bursts.
class ComputeModel {
public:
  virtual ~ComputeModel() = default;
  static constexpr double NotKnown = -1;
  /// Starts \p flops floating-point operations of one core on \p host; \p done runs at their end.
  /// \p memoryShare: the part of their time in which they move memory (Slowness.h), 0 to 1; NotKnown:
  /// that of the model.
  virtual void compute(platform::HostIndex host, double flops, kernel::Action done,
                       double memoryShare = NotKnown) = 0;
};

} // namespace gnomon::models
