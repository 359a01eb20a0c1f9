// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Whoever skips parts of the ranks' computations (room burst), as the ranks see it: what they tell
/// it, and what they charge for what was skipped. The other direction, what was measured and
/// charged, is BurstClock.
#pragma once

#include "gnomon/Module.h"

#include <functional>
#include <memory>

namespace gnomon::process {

class Rank;
struct Settings;
struct World;
namespace burst {
struct RankState;
}

class Skipping {
public:
  virtual ~Skipping() = default;
  /// The rank of \p rank (BurstClock::bursts) enters the runtime; its own code has moved the meter
  /// by \p metered since it left it, and \p skipped has been charged meanwhile. Returns a cost to be charged on top.
  virtual double stretchEnded(burst::RankState &rank, double metered, double skipped) = 0;
  /// An instance of \p record, which began by CountedStretch in \p frame, goes on the long way. Returns its part
  /// (VolumeSink).
  virtual uint32_t openInstance(const Rank &rank, gnomon_burst &record, const void *frame) = 0;
  /// \p rank computes no more.
  virtual void rankEnded(const Rank &rank) = 0;
  /// \p rank starts a thread: from now on it computes all by itself.
  virtual void rankStartsThreads(const Rank &rank) = 0;
  /// The world has more ranks than before.
  virtual void ranksAdded() = 0;
  virtual void moduleLoaded(gnomon_module &module) = 0;
  /// Whether computations may be skipped in this run, and whether some have been, on any rank.
  virtual bool skips() const = 0;
  virtual bool anySkipped() const = 0;
  /// Whether decisions are given.
  virtual bool isGivenDecisions() const = 0;
  /// From now on all computations are executed, but those that the user has said are not.
  virtual void executeAll() = 0;
};

/// Called once the first ranks exist; null: every computation is executed.
using SkippingMaker = std::function<std::unique_ptr<Skipping>(World &, const Settings &)>;

} // namespace gnomon::process
