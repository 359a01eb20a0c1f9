// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank as the sampler sees it: what it knows of its instances, and what it is in the middle of.
#pragma once

#include "process/burst/Estimator.h"
#include "process/burst/Kinds.h"
#include "process/burst/Repeats.h"
#include "process/burst/Variation.h"
#include "support/Hash.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace gnomon::process::burst {

/// What a rank knows of its instances of one burst and bucket.
struct RankSlot {
  uint32_t pass = 0;     ///< the rank's pass of the latest instance
  uint8_t stage = 0;     ///< 0: none yet; 1: in the first pass; 2: behind it
  uint8_t sampled = 0;   ///< bit per Warmth: the rank has a sample of its own
  uint8_t untaken = 0;   ///< samples in a row that would have stood too near to skipped instances
  bool executed = false; ///< its memory has been touched by an instance that ran
  struct Own {
    PerWarmth<Estimator> samples;
    PerWarmth<Rate> rate;
  };
  std::unique_ptr<Own> own; ///< where the rank is sampled by itself
  uint32_t term = 0;        ///< 1 + its place among the terms of the rank's stretch
};

/// A rank's part in a watch (Watches.h).
struct Watch {
  uint32_t number = 0; ///< of the watch that the rank takes part in
  bool begun = false;  ///< ever: the rank has met a burst
  /// Cost executed since the rank last skipped something: the caches' memory of it.
  double sinceSkip = std::numeric_limits<double>::infinity();
};

/// What a rank does between two entries into the runtime, or a part of it.
struct Stretch {
  uint32_t first = 0; ///< burst that it met first
  uint64_t shape = 0; ///< Σ of a number for each slot met
  uint64_t kind = 0;  ///< Σ of a number for each burst met
  bool warm = true;   ///< nothing was met for the first time
  uint32_t measured = 0;
  uint32_t equalWork = 0; ///< of whose mean it was charged (EqualWork.h); 0: what it took
  uint64_t executed = 0, skipped = 0;
  double predicted = 0; ///< cost of what was executed, by its samples
  uint64_t volume = 0;  ///< instructions of bursts, where they are counted
  double charged = 0;   ///< of what was skipped, but for what the user gave
  double known = 0; ///< beyond that, if all that an earlier run knows had been skipped, and warm
  std::vector<Variation::Term> terms; ///< by slot, of a rank that watches

  /// An instance, by the numbers of its slot.
  void meet(uint64_t ofShape, uint64_t ofKind) {
    shape += ofShape;
    kind += ofKind;
  }
};

/// Of a slot's burst and bucket: the same in each run. Sums of these are rarely equal by chance.
inline uint64_t shapeOf(uint64_t burst, size_t bucket) { return mixed(burst, bucket + 1); }

struct RankBursts {
  uint32_t number = 0;
  bool witness = false;
  uint32_t phase = 0;
  bool ended = false;
  uint32_t pass = 0;
  uint64_t inPass = 0;         ///< instances in the present pass
  uint32_t latest = 0;         ///< index of the burst met last
  uint32_t latestEntries = 0;  ///< the rank's entries into the runtime then
  double secondsPerCost = 1;   ///< simulated seconds that a unit of cost takes on the rank's host
  std::vector<RankSlot> slots; ///< by Slot number
  Repeats repeats;             ///< where everything is executed, and timed
  /// Of the first slots, the bits of those behind their first pass (stage 2): each instance asks for one, and the slots
  /// themselves would be a line of the cache more.
  std::array<uint64_t, 2> behindFirst{};
  bool isBehindFirst(uint32_t slot) const {
    if (slot / 64 < behindFirst.size()) [[likely]]
      return behindFirst[slot / 64] >> slot % 64 & 1;
    return slot < slots.size() && slots[slot].stage == 2;
  }
  /// \p mine is one of the slots.
  void leaveFirst(RankSlot &mine) {
    mine.stage = 2;
    const auto slot = static_cast<size_t>(&mine - slots.data());
    if (slot / 64 < behindFirst.size())
      behindFirst[slot / 64] |= uint64_t{1} << slot % 64;
  }

  Watch watch;
  Stretch stretch;

  // The instance that runs (set by begin and decide, used by executed).
  uint32_t slot = NoSlot;
  Warmth warmth = Warmth::First;
  uint64_t work = 0;
  uint64_t instructions = 0; ///< counted in it when it has ended; 0: nobody knows
};

} // namespace gnomon::process::burst
