// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waves (Wave.h) that are known because they went before. A program that repeats its steps sends the
/// same messages again: between the same hosts, of one size, in the same order, at one date. If
/// nobody else shares links then, and the solver holds nothing from before, it says of them what it
/// said the last time. So the solver is asked once, and what it said is kept: when the first of them
/// ended, counted from when they began to share, and when the last one did. If both are one date but
/// for rounding, the next such batch is a wave: on any platform, whatever limits each of its flows.
///
/// A flow alone has s / (b f) seconds, for s bytes, its bound b and its factor f; one of a bottleneck
/// has its amount, divided by the level (FlowGroups.h). Neither hangs on the date, so that date +
/// seconds is the same sum that the flow would have without the wave.
///
/// Worked example: A sends to C and D, and B to D and C, over links of 100 MB/s, each 1 MB: each flow
/// has 50 MB/s, all end after 20 ms, and so will they in each later step.
///
/// Where a known wave ends at the very date at which another batch begins, that one *follows* it: the
/// solver still holds what the first one left, which is the same each time, too. So a batch is known
/// together with the wave that it follows.
///
/// A batch is looked for by its size, how many flows it has, and its first and last one; it is kept
/// only when it is seen for the second time, so that one that does not come again costs nothing.
#pragma once

#include "platform/Platform.h"
#include "solver/MaxMin.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gnomon::models {

/// From one host to another.
using HostPair = uint64_t;
constexpr HostPair pairOf(platform::HostIndex source, platform::HostIndex destination) {
  return uint64_t{source} << 32 | destination;
}

struct KnownWave {
  enum class State : uint8_t { Unknown, Learning, Known };

  uint64_t key = 0; ///< 0: none
  State state = State::Unknown;
  uint8_t attempts = 0;             ///< to learn it
  uint64_t number = 0;              ///< its own, once known
  uint64_t follows = 0;             ///< number of the wave that it follows, or 0
  double bytes = 0;                 ///< of each flow, with the envelope
  std::vector<HostPair> pairs = {}; ///< in the order in which the flows started
  // Seconds since the flows began to share links.
  double armed = 0;     ///< first end of one that was alone, before the date was settled
  double first = 0;     ///< first end
  double last = 0;      ///< last end
  bool settles = false; ///< whether any flow waited for the solver
  solver::Remains remains = {};
};

/// About a thousand of them, each at a place that its key gives it.
class KnownWaves {
public:
  /// \p hosts: of the platform. What is kept is bounded by a few words for each of them.
  explicit KnownWaves(size_t hosts) : mostPairs_(LeastPairs + PairsOfHost * hosts) {}

  /// Of batches that look alike from outside; never 0. Others may have the same one.
  static uint64_t keyOf(uint64_t follows, double bytes, size_t flows, HostPair first,
                        HostPair last);
  /// What is kept with such a key; null: nothing.
  KnownWave *find(uint64_t key) {
    KnownWave *const wave = waves_.empty() ? nullptr : &waves_[placeOf(key)];
    return wave && wave->key == key ? wave : nullptr;
  }
  /// Where to keep a batch of \p flows with such a key, which is to be filled in; null: not yet, or
  /// not at all. Takes the place of what was there.
  KnownWave *place(uint64_t key, size_t flows);

  /// The wave in such a place has become known.
  void number(KnownWave &wave) {
    wave.number = ++numbers_;
    wave.state = KnownWave::State::Known;
  }

private:
  static constexpr size_t Places = 1024, LeastPairs = 16384, PairsOfHost = 16;
  static constexpr uint8_t MostAttempts = 8;
  void forgetAll();
  static size_t placeOf(uint64_t key) { return key % Places; }

  size_t mostPairs_, pairs_ = 0;
  uint64_t numbers_ = 0; ///< waves that have become known
  std::vector<KnownWave> waves_;
  std::vector<uint64_t> seen_; ///< the last key that was not kept, by place
};

} // namespace gnomon::models
