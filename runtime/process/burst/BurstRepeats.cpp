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

/// What those of the burst \p index have executed that have ended. Those of one work only: that of others was told before.
void Bursts::tellVolumes(RankState &rank, uint32_t index) {
  const gnomon_burst &record = *sampler_.entries()[index - 1].record;
  rank.repeats.makeRoom(index);
  for (uint32_t place = Repeats::firstOf(index); place < Repeats::firstOf(index + 1); ++place) {
    Repeat &again = rank.repeats[place];
    if (const uint32_t times = std::exchange(again.ended, 0);
        times > 0 && maySometimesBeSkipped(record))
      addVolume(rank, record, {again.work, again.volume, times});
  }
}

void Bursts::tellAllRepeats(RankState &rank) {
  rank.repeats.tellAll([&](uint32_t place) {
    tellVolumes(rank, Repeats::indexOf(place));
    tellRepeats(rank, place);
  });
}

/// One that began as the one before ends. It has executed something else, or others of its burst have ended since.
void Bursts::endOtherwise(BurstClock &clock, gnomon_burst &record, int64_t ahead, uint64_t since) {
  RankState &rank = *clock.bursts();
  OpenInstance &open = rank.open;
  if (open.recursion > 0)
    return end(clock, record, ahead);
  Repeat &again = rank.repeats[open.again];
  // One in which other ranks may have run has no volume of its own.
  const bool whole = open.entries == clock.entries();
  open.record = nullptr;
  tellVolumes(rank, record.index);
  if (const uint64_t instructions = executedSince(open, ahead); whole && instructions > 0) {
    again.volume = instructions;
    again.ended = 1;
    rank.repeats.list(again, open.again);
  } else if (maySometimesBeSkipped(record)) {
    addVolume(rank, record, {again.work, 0});
  }
  if (since)
    noteHook(clock, since);
}

/// A hook that began at \p since is over: so much others take, too.
void Bursts::noteHook(BurstClock &clock, uint64_t since) {
  const uint64_t now = readCycles();
  const double seconds = cycleSeconds(since, now) - cycleReadingSeconds();
  timedHooks_ = std::min(timedHooks_ + 1, HooksInMean);
  againSeconds_ += (2 * std::clamp(seconds, 0.0, MostOfAHook) - againSeconds_) / timedHooks_;
  clock.takeOut(2 * cycleReadingSeconds());
  if (cores_.due(now)) [[unlikely]]
    lookAtCore(clock, now);
}

} // namespace gnomon::process::burst
