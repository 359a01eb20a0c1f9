// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Bursts does with instances that come again as they came before (Repeats.h).
#include "process/burst/Bursts.h"

#include <algorithm>
#include <utility>

namespace gnomon::process::burst {
namespace {

/// What a hook of such an instance takes at most: more is another thread's, or an interrupt's.
constexpr double MostOfAHook = 0.5e-6;
/// The mean of hooks is that of so many that were timed last.
constexpr double HooksInMean = 64;

} // namespace

/// The instance that \p rank has begun to execute: the next ones may be like it.
void Bursts::remember(RankState &rank, const gnomon_burst &record, uint64_t work) {
  const uint32_t left = sampler_.mayComeAgain(rank);
  if (left == 0)
    return;
  const uint32_t place = rank.repeats.placeFor(record.index, work);
  Repeat &again = rank.repeats[place];
  if (again.work != work || again.slot != rank.slot) {
    tellVolumes(rank, record.index);
    tellRepeats(rank, place);
    again.volume = 0;
  }
  again.work = work;
  again.burst = record.index - 1;
  again.slot = rank.slot;
  again.left = left;
  again.cost = sampler_.expectedCost(rank);
  rank.repeats.list(again, place);
  rank.open.again = place;
}

/// The instances at \p place that have begun.
void Bursts::tellRepeats(RankState &rank, uint32_t place) {
  Repeat &again = rank.repeats[place];
  if (again.begun == 0)
    return;
  again.left = sampler_.cameAgain(rank, again);
  hookSeconds_ += again.begun * againSeconds_;
  const uint64_t before = instances_;
  instances_ += again.begun;
  again.begun = again.passes = 0;
  if (before / InstancesBetweenChecks != instances_ / InstancesBetweenChecks) [[unlikely]]
    watchOverhead();
}

/// What those of the burst \p index have executed that have ended.
void Bursts::tellVolumes(RankState &rank, uint32_t index) {
  Repeat *const again = rank.repeats.endedOf(index);
  if (!again)
    return;
  const uint32_t times = rank.repeats.takeEnded(*again, index);
  const gnomon_burst &record = *sampler_.entries()[index - 1].record;
  if (maySometimesBeSkipped(record))
    addVolume(rank, {again->work, again->volume, times, index});
}

/// At the end of a stretch, or of a part of it.
void Bursts::tellAllRepeats(RankState &rank) {
  const auto expect = [&](const Repeat &again) { sampler_.expectAgain(rank, again); };
  rank.repeats.tellAll(expect, [&](uint32_t place) {
    tellVolumes(rank, Repeats::indexOf(place));
    tellRepeats(rank, place);
  });
  if (volumes_ && (rank.volumes.size() >= MostNotedVolumes || rank.ended))
    sortOutVolumes(rank);
}

/// One that began as the one before ends. It has executed something else, or others of its burst have ended since.
/// Returns true.
bool Bursts::endOtherwise(BurstClock &clock, gnomon_burst &record, int64_t ahead, uint64_t since) {
  RankState &rank = *clock.bursts();
  OpenInstance &open = rank.open;
  Repeat &again = rank.repeats[open.again];
  // One in which other ranks may have run has no volume of its own.
  const bool whole = open.entries == clock.entries();
  open.record = nullptr;
  tellVolumes(rank, record.index);
  if (const uint64_t instructions = executedSince(open, ahead); whole && instructions > 0) {
    again.volume = instructions;
    rank.repeats.beginEnded(open.again);
  } else if (maySometimesBeSkipped(record)) {
    addVolume(rank, {again.work, 0, 1, record.index});
  }
  return since ? noteHook(clock, since) : true;
}

/// A hook that began at \p since is over: so much others take, too. Returns true, for hooks that end with it.
bool Bursts::noteHook(BurstClock &clock, uint64_t since) {
  const uint64_t now = readCycles();
  const double seconds = cycleSeconds(since, now) - cycleReadingSeconds();
  timedHooks_ = std::min(timedHooks_ + 1, HooksInMean);
  againSeconds_ += (2 * std::clamp(seconds, 0.0, MostOfAHook) - againSeconds_) / timedHooks_;
  clock.takeOut(2 * cycleReadingSeconds());
  if (cores_.due(now)) [[unlikely]]
    lookAtCore(clock, now);
  return true;
}

uint64_t Bursts::startOfTimedHook() {
  untilTimed_ = HooksPerTimed;
  return readCycles();
}

} // namespace gnomon::process::burst
