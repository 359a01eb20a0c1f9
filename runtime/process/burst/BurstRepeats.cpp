// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What Bursts does with instances that come again as they came before (Repeats.h).
#include "process/burst/Bursts.h"

#include "process/ranks/CycleClock.h"
#include "support/Hash.h"

#include <algorithm>
#include <utility>

namespace gnomon::process::burst {
namespace {

/// What a hook of such an instance takes at most: more is another thread's, or an interrupt's.
constexpr double MostOfAHook = 0.5e-6;
/// The mean of hooks is that of so many that were timed last.
constexpr double HooksInMean = 64;
/// Instances that have ended, and are not noted yet: of them and of what begins before they are looked at again, a Repeat
/// has room for the number.
constexpr uint32_t MostEndedTogether = 1U << 30;

} // namespace

/// The rank's code has begun to run, and comes to its first burst.
void Bursts::startRepeats(BurstClock &clock) {
  RankState &rank = *clock.bursts();
  RepeatHooks &hooks = repeatHooks;
  if (hooks.clock)
    stopRepeats(*hooks.clock->bursts());
  if (rank.ended)
    return;
  hooks.clock = &clock;
  hooks.entries = clock.entries();
  hooks.seconds = againSeconds_;
  hooks.expectedCost = 0;
  hooks.passes = 0;
  rank.repeats.makeRoom(0);
  hooks.all = hooks.latest = rank.repeats.data();
  hooks.size = rank.repeats.size();
  hooks.free = rank.open.record ? 0 : hooks.size;
}

/// It runs no more.
void Bursts::stopRepeats(RankState &rank) {
  RepeatHooks &hooks = repeatHooks;
  if (!hooks.clock || hooks.clock->bursts() != &rank)
    return;
  if (hooks.record)
    openUsually(rank);
  passOn(rank);
  hooks.clock = nullptr;
  hooks.all = noRepeats;
  hooks.size = hooks.free = 0;
}

/// The instance that runs is the rank's open one, as if Bursts::begin had begun it.
void Bursts::openUsually(RankState &rank) {
  RepeatHooks &hooks = repeatHooks;
  rank.open.record = hooks.record;
  rank.open.frame = hooks.frame;
  rank.open.entries = hooks.entries;
  rank.open.recursion = 0;
  rank.open.kind = OpenInstance::Kind::Run;
  rank.open.again = static_cast<uint32_t>(hooks.open - hooks.all);
  rank.open.instructions = hooks.instructions;
  hooks.record = nullptr;
  hooks.free = 0;
}

/// The sampler hears of the passes that hooks have seen.
void Bursts::passOn(RankState &rank) {
  RepeatHooks &hooks = repeatHooks;
  if (hooks.passes == 0)
    return;
  rank.pass += hooks.passes;
  rank.latest = hooks.latest->burst + 1;
  rank.latestEntries = hooks.entries;
  rank.inPass = hooks.passes = 0;
}

/// Where one of \p work may begin, the first of them in the rank's stretch; null: it is to be decided.
Repeat *Bursts::listRepeat(RankState &rank, const gnomon_burst &record, uint64_t work) {
  const uint32_t place = rank.repeats.find(record.index, work);
  if (place == 0)
    return nullptr;
  Repeat &again = rank.repeats[place];
  // Stretches that nobody looks at go on into each other.
  if (again.begun >= again.limit && !sampler_.calibrates())
    tellRepeats(rank, again);
  if (again.limit == 0)
    again.limit = again.left;
  if (again.begun >= again.limit) {
    sampler_.count(rank, again);
    return nullptr;
  }
  rank.repeats.list(again, place);
  if (rank.latestEntries != repeatHooks.entries || rank.latest == 0) {
    rank.stretch.first = record.index;
    rank.latest = record.index;
    rank.latestEntries = repeatHooks.entries;
  }
  return &again;
}

bool Bursts::beginRepeat(BurstClock &clock, gnomon_burst &record, uint64_t work,
                         const void *frame) {
  RankState &rank = *clock.bursts();
  RepeatHooks &hooks = repeatHooks;
  if (hooks.clock != &clock)
    startRepeats(clock);
  if (hooks.record)
    openUsually(rank);
  if (hooks.free != 0) {
    if (rank.stretch.predicted + hooks.expectedCost > LongStretchSeconds) [[unlikely]]
      endPart(clock);
    if (Repeat *again = listRepeat(rank, record, work)) {
      hooks.begin(*again, record, frame, countedInstructions());
      return true;
    }
  }
  passOn(rank);
  hooks.free = 0;
  const bool runs = begin(clock, record, work, frame);
  if (!hooks.record && !rank.open.record)
    hooks.free = hooks.size;
  return runs;
}

/// The instance that \p rank has begun to execute: the next ones may be like it.
void Bursts::remember(RankState &rank, const gnomon_burst &record, uint64_t work) {
  RepeatHooks &hooks = repeatHooks;
  if (!hooks.clock || hooks.clock->bursts() != &rank)
    return;
  const uint32_t left = sampler_.mayComeAgain(rank);
  if (left == 0)
    return;
  const uint32_t place = rank.repeats.placeFor(record.index, work);
  hooks.all = rank.repeats.data();
  hooks.size = rank.repeats.size();
  Repeat &again = rank.repeats[place];
  if (again.work != work || again.slot != rank.slot) {
    tellVolumes(rank, record.index);
    tellNoted(rank, again);
    tellRepeats(rank, again);
    again.volume = 0;
    again.kind = mixed(rank.slot + 1, work);
  }
  again.work = work;
  again.burst = record.index - 1;
  again.slot = rank.slot;
  again.noting = volumes_ && maySometimesBeSkipped(record);
  again.limit = again.begun + left;
  again.cost = sampler_.expectedCost(rank);
  rank.repeats.list(again, place);
  hooks.latest = hooks.open = &again;
  hooks.record = rank.open.record;
  hooks.frame = rank.open.frame;
  hooks.instructions = rank.open.instructions;
  rank.open.record = nullptr;
}

/// Those like \p again that have begun.
void Bursts::tellRepeats(RankState &rank, Repeat &again) {
  again.left = again.limit;
  tellMany(rank, again);
  if (again.begun > 0) {
    again.left = sampler_.cameAgain(rank, again);
    noteBegun(again.begun);
  }
  again.begun = again.limit = 0;
}

void Bursts::noteBegun(uint64_t count) {
  hookSeconds_ += static_cast<double>(count) * againSeconds_;
  const uint64_t before = instances_;
  instances_ += count;
  if (before / InstancesBetweenChecks != instances_ / InstancesBetweenChecks) [[unlikely]]
    watchOverhead();
}

/// Whether the rank's stretch of \p seconds was made of the same instances as others before, which teach nothing more. If
/// so, it is noted.
bool Bursts::isSameStretch(RankState &rank, uint64_t composition, double seconds) {
  if (!stretches_ || !stretches_->knows(composition, seconds) || !sampler_.passesOver())
    return false;
  stretches_->addSame(rank.number, composition, seconds);
  uint64_t begun = 0;
  rank.repeats.tellAll([](const Repeat &) {},
                       [&](Repeat &again) {
                         begun += again.begun;
                         tellMany(rank, again);
                         again.uncounted += again.begun;
                         again.left = again.limit - again.begun;
                         again.beginStretch();
                       });
  noteBegun(begun);
  return true;
}

/// What tells the rank's stretch from those of other instances; 0: it had some that came by themselves.
uint64_t Bursts::compositionOf(const RankState &rank) {
  const Stretch &stretch = rank.stretch;
  const bool alone = stretch.executed > 0 || stretch.skipped > 0 || !stretch.warm ||
                     stretch.volume > 0 || !stretch.terms.empty() || rank.partSeconds != 0 ||
                     rank.whole.shape != 0 || !rank.whole.volumes.empty() || rank.open.record;
  return alone ? 0 : rank.repeats.composition();
}

/// What those of the burst \p index have executed that have ended is noted.
void Bursts::tellVolumes(RankState &rank, uint32_t index) {
  if (index >= rank.repeats.bursts())
    return;
  const uint32_t place = std::exchange(rank.repeats.endedOf(index), 0);
  if (place == 0)
    return;
  Repeat &again = rank.repeats[place];
  const uint32_t times = again.ended;
  again.noted = again.endedNow();
  again.ended = again.before = 0;
  if (!again.noting)
    return;
  keepVolume(rank, {again.work, again.volume, times, index});
}

/// The same, before their number has no room any more.
void Bursts::tellMany(RankState &rank, const Repeat &again) {
  if (again.ended >= MostEndedTogether) [[unlikely]]
    tellVolumes(rank, again.burst + 1);
}

/// And the rank's stretch hears of it.
void Bursts::tellNoted(RankState &rank, Repeat &again) {
  const uint32_t times = again.endedNow();
  again.before = again.ended;
  again.noted = 0;
  if (times == 0 || !again.noting)
    return;
  rank.stretch.volume += times * again.volume;
  if (stretches_)
    rank.whole.addVolume(again.burst + 1, again.volume, times);
}

/// At the end of a stretch, or of a part of it.
void Bursts::tellAllRepeats(RankState &rank) {
  const auto expect = [&](const Repeat &again) { sampler_.expectAgain(rank, again); };
  rank.repeats.tellAll(expect, [&](Repeat &again) {
    tellNoted(rank, again);
    tellRepeats(rank, again);
  });
  repeatHooks.expectedCost = 0;
  if (rank.ended)
    rank.repeats.forEach([&](Repeat &again) {
      tellVolumes(rank, again.burst + 1);
      sampler_.count(rank, again);
    });
  if (volumes_ && (rank.volumes.size() >= MostNotedVolumes || rank.ended))
    sortOutVolumes(rank);
}

/// The sampler has heard of all, those of ranks that were cut short too.
void Bursts::countRepeats() {
  for (RankState &rank : ranks_) {
    if (rank.ended)
      continue;
    stopRepeats(rank);
    rank.repeats.forEach([&](Repeat &again) {
      tellRepeats(rank, again);
      sampler_.count(rank, again);
    });
  }
}

/// An instance at \p place has executed \p instructions, and the one before it something else, or others of its burst have
/// ended since; 0: nobody knows.
void Bursts::endOtherwise(RankState &rank, uint32_t place, uint64_t instructions) {
  Repeat &again = rank.repeats[place];
  const uint32_t index = again.burst + 1;
  tellVolumes(rank, index);
  if (instructions == 0) {
    if (again.noting)
      addVolume(rank, {again.work, 0, 1, index});
    return;
  }
  if (instructions != again.volume) {
    tellNoted(rank, again);
    again.volume = instructions;
    again.kind = mixed(mixed(again.slot + 1, again.work), instructions);
  }
  again.ended = 1;
  rank.repeats.endedOf(index) = place;
  rank.repeats.list(again, place);
}

void Bursts::endRepeat(BurstClock &clock, gnomon_burst &record, int64_t ahead) {
  RankState &rank = *clock.bursts();
  RepeatHooks &hooks = repeatHooks;
  const uint64_t counted = countedInstructions() - static_cast<uint64_t>(ahead);
  if (hooks.record == &record) {
    if (!hooks.end(counted)) {
      endOtherwise(rank, static_cast<uint32_t>(hooks.open - hooks.all),
                   counted - hooks.instructions);
      hooks.close();
    }
    return;
  }
  OpenInstance &open = rank.open;
  if (open.record == &record && open.again != 0 && open.recursion == 0) {
    // One in which other ranks may have run has no volume of its own.
    const bool whole = open.entries == clock.entries();
    endOtherwise(rank, open.again, whole ? counted - open.instructions : 0);
    open.record = nullptr;
  } else {
    end(clock, record, ahead);
  }
  if (hooks.clock == &clock && !hooks.record && !open.record)
    hooks.free = hooks.size;
}

void Bursts::noteHook(uint64_t since) {
  if (!repeatHooks.clock) [[unlikely]]
    return; // the stretch has ended meanwhile
  BurstClock &clock = *repeatHooks.clock;
  const uint64_t now = readCycles();
  const double seconds = cycleSeconds(since, now) - cycleReadingSeconds();
  timedHooks_ = std::min(timedHooks_ + 1, HooksInMean);
  againSeconds_ += (2 * std::clamp(seconds, 0.0, MostOfAHook) - againSeconds_) / timedHooks_;
  repeatHooks.seconds = againSeconds_;
  clock.takeOut(2 * cycleReadingSeconds());
  if (cores_.due(now)) [[unlikely]]
    lookAtCore(clock, now);
}

} // namespace gnomon::process::burst
