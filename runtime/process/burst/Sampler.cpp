// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Sampler.h"

#include <algorithm>

namespace gnomon::process::burst {

using Scope = SamplePolicy::Scope;

/// Instances that are counted before they are told.
static constexpr uint64_t MostTogether = 1 << 30;

Entry Sampler::newEntry(gnomon_burst &record) const {
  Entry entry;
  entry.record = &record;
  entry.policy = policy_;
  entry.weakens = entry.toWeaken = record.flags & GNOMON_BURST_WEAKENS;
  if (record.flags & GNOMON_BURST_LOCAL)
    entry.policy.scope = Scope::Local;
  if (record.flags & GNOMON_BURST_GLOBAL)
    entry.policy.scope = Scope::Global;
  if (record.samples > 0)
    entry.policy.leastSamples = entry.policy.mostSamples =
        std::min(record.samples, MostSamplesEver);
  entry.asUserSays = record.flops >= 0 || record.samples > 0;
  entry.local = entry.policy.scope == Scope::Local;
  entry.mayGoLocal = entry.policy.scope == Scope::Auto && ranks_ > 1;
  entry.witnesses = entry.mayGoLocal && record.samples == 0 && !rates_.free();
  if (record.flops >= 0) {
    entry.fixedRate = record.flops / flopsPerCost_;
    entry.workMask = 0;
    entry.varies = 0;
    entry.witnesses = entry.mayGoLocal = false;
  }
  if (rates_.knows(record))
    entry.witnesses = entry.mayGoLocal = entry.local = false;
  entry.plain = isPlain(entry);
  return entry;
}

bool Sampler::isPlain(const Entry &entry) const {
  return policy_.learnsOnly ? !maySometimesBeSkipped(*entry.record)
                            : !policy_.skips() || !isSkippable(entry);
}

void Sampler::reconsider() {
  for (Entry &entry : rates_.entries()) {
    entry.weakens = entry.toWeaken = entry.record->flags & GNOMON_BURST_WEAKENS;
    entry.plain = isPlain(entry);
  }
  openings_.updateAll(rates_);
}

Entry &Sampler::entryOf(gnomon_burst &record) {
  if (Entry *known = rates_.find(record))
    return *known;
  Entry &entry = rates_.add(newEntry(record));
  entry.name = record.index;
  openings_.update(entry, rates_);
  return entry;
}

void Sampler::place(RankBursts &rank, Entry &entry, uint32_t entries) {
  rank.work &= entry.workMask;
  rank.slot = rates_.slotOf(entry, bucketOf(rank.work));
  if (rank.slot >= rank.slots.size())
    rank.slots.resize(rates_.slots().size());
  rank.warmth = enter(rank, rank.slot, entry, entries);
}

/// \p sampled: as a sample; else for the table.
bool Sampler::wantsMeasure(Entry &entry, bool sampled) const {
  if (sampled || entry.executed <= alwaysMeasured_)
    return true;
  if (entry.executed < entry.nextMeasured)
    return false;
  entry.nextMeasured = entry.executed + entry.executed / MeasuredGrowth;
  return true;
}

/// The quick half for a rank that watches: what has nothing to teach runs unmeasured.
Decision Sampler::watch(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth) {
  RankSlot &mine = rank.slots[slot];
  const auto kind = static_cast<size_t>(warmth);
  const Rate rate = Rates::of(entry, rates_.slots()[slot], mine, kind);
  const bool forTable = entry.executed + 1 >= entry.nextMeasured;
  const bool teaches = entry.plain || (policy_.learnsOnly && forTable)
                           ? forTable
                           : (!rate && Watches::wantsSamples(entry, slot, mine, kind, rates_)) ||
                                 Watches::owesSample(rank, entry, mine, kind) ||
                                 openings_.isFrozen(entry);
  const uint64_t work = rank.work & entry.workMask;
  const double cost = rate.valueOr(0) * unitsOf(work);
  if (!teaches && entry.open && rate && (entry.asUserSays || Watches::isLongPass(rank, cost)))
    return skip(rank, entry, slot, kind, work, *rate);
  if (teaches || wantsMoments(rank, entry, slot, kind, rate)) {
    rank.slot = slot;
    rank.warmth = warmth;
    return {};
  }
  const Decision decision = run(rank, entry, slot, warmth);
  watches_.noteExecuted(rank, entry, slot, static_cast<size_t>(rank.warmth), {}, rates_);
  return decision;
}

/// Whether the instance is measured because a watching rank executes it anyway.
bool Sampler::wantsMoments(const RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                           Rate rate) const {
  return rate && !entry.plain && !entry.asUserSays && watches(rank) &&
         watches_.wantsMoments(rates_.slots()[slot].samples[warmth].count(),
                               *rate * unitsOf(rank.work & entry.workMask));
}

Decision Sampler::decide(RankBursts &rank, gnomon_burst &record, uint32_t entries) {
  Entry &entry = entryOf(record);
  if (rank.slot == NoSlot)
    place(rank, entry, entries);
  if (openings_.isFrozen(entry) && isSkippable(entry))
    return skipBlindly(rank, entry);
  const auto kind = static_cast<size_t>(rank.warmth);
  const RankSlot &mine = rank.slots[rank.slot];
  const bool mayBeSkipped = !entry.plain;
  Rate rate = Rates::of(entry, rates_.slots()[rank.slot], mine, kind);
  if (!rate && mayBeSkipped)
    rate = rates_.evaluate(rank, entry, rank.slot, kind);
  if (watches_.consider(rank, entry, rate, rates_))
    openings_.setWatching(true, rates_);
  // Whoever weakens others looks at them now and then; it is executed until they are known.
  if (!entry.open && rate)
    openings_.lookAgain(rank, entry, rates_);
  const bool needed = !rate || Watches::owesSample(rank, entry, mine, kind);
  if (entry.open && !needed && (entry.asUserSays || !watches(rank)))
    return skip(rank, entry, rank.slot, kind, rank.work, *rate);
  const bool sampled = (needed && mayBeSkipped && !rates_.free()) ||
                       wantsMoments(rank, entry, rank.slot, kind, rate);
  return execute(rank, entry, needed, sampled);
}

Decision Sampler::beginUnknown(RankBursts &rank, gnomon_burst &record, uint64_t work,
                               uint32_t entries) {
  Entry &entry = entryOf(record);
  rank.work = work;
  place(rank, entry, entries);
  if (openings_.isFrozen(entry) && isSkippable(entry))
    return skipBlindly(rank, entry);
  rank.stretch.warm = false; // no equation
  noteKnown(rank, entry);
  return run(rank, entry, rank.slot, rank.warmth);
}

uint32_t Sampler::mayComeAgain(const RankBursts &rank) const {
  if (policy_.skips() || rank.slot == NoSlot || rank.warmth != Warmth::Warm)
    return 0;
  const Entry &entry = rates_.entries()[rates_.slots()[rank.slot].burst];
  // A long one may be measured when its rate is known (wantsMoments), and its hooks take little of it.
  if (policy_.learnsOnly && (!watches(rank) || expectedCost(rank) >= UndisturbedSeconds))
    return 0;
  return static_cast<uint32_t>(std::min<uint64_t>(unmeasured(entry), MostTogether));
}

void Sampler::count(const RankBursts &rank, Repeat &again) {
  if (again.uncounted == 0)
    return;
  Slot &slot = rates_.slots()[again.slot];
  Entry &entry = rates_.entries()[slot.burst];
  entry.executed += again.uncounted;
  slot.executedWork[static_cast<size_t>(Warmth::Warm)] +=
      again.uncounted * unitsOf(again.work & entry.workMask) * rank.secondsPerCost;
  again.uncounted = 0;
}

uint32_t Sampler::cameAgain(RankBursts &rank, Repeat &again) {
  again.uncounted += again.begun;
  count(rank, again);
  const Slot &slot = rates_.slots()[again.slot];
  const Entry &entry = rates_.entries()[slot.burst];
  const double work = again.begun * unitsOf(again.work & entry.workMask);
  rank.stretch.executed += again.begun;
  rank.stretch.meet(again.begun * slot.shape, again.begun * slot.kind);
  if (watches(rank))
    watches_.noteAgain(rank, again, work);
  return static_cast<uint32_t>(std::min<uint64_t>(unmeasured(entry), MostTogether));
}

namespace {

constexpr auto Warm = static_cast<size_t>(Warmth::Warm);

double warmCost(const Slot &slot, uint64_t work) {
  return slot.rate[Warm].valueOr(0) * slot.factor[Warm] * unitsOf(work);
}

} // namespace

/// The instance that \p rank is about to execute could have been skipped, at a cost that an earlier run has told.
void Sampler::noteKnown(RankBursts &rank, const Entry &entry) const {
  if (rates_.knowsAll() && !entry.plain)
    rank.stretch.known += warmCost(rates_.slots()[rank.slot], rank.work);
}

/// One that was skipped at \p cost: stretches are compared by what their bursts cost when they are warm (Stretches.h).
void Sampler::noteAsWarm(RankBursts &rank, const Slot &place, uint64_t work, double cost) {
  if (const double warm = warmCost(place, work); warm > 0)
    rank.stretch.known += warm - cost;
}

/// \p needed: a sample of the instance's kind is; \p sampled: this one may be it.
Decision Sampler::execute(RankBursts &rank, Entry &entry, bool needed, bool sampled) {
  RankSlot &mine = rank.slots[rank.slot];
  ++entry.executed;
  const bool measure =
      wantsMeasure(entry, sampled) && !(needed && watches_.standsTooNear(rank, entry, rates_));
  // An instance that runs where none has run before makes its pages, whatever was skipped.
  if (!mine.executed && !rates_.slots()[rank.slot].light)
    rank.warmth = Warmth::First;
  mine.executed = true;
  noteKnown(rank, entry);
  rates_.slots()[rank.slot].executedWork[static_cast<size_t>(rank.warmth)] +=
      unitsOf(rank.work) * rank.secondsPerCost;
  ++rank.stretch.executed;
  rank.stretch.meet(rates_.slots()[rank.slot].shape, rates_.slots()[rank.slot].kind);
  rank.stretch.measured += measure;
  if (!measure)
    watches_.noteExecuted(rank, entry, rank.slot, static_cast<size_t>(rank.warmth), {}, rates_);
  return {measure ? Decision::Action::Measure : Decision::Action::Run, 0};
}

Decision Sampler::skipBlindly(RankBursts &rank, Entry &entry) {
  const auto kind = static_cast<size_t>(rank.warmth);
  bool guessed = false;
  const double rate = rates_.best(rank, entry, kind, guessed);
  if (guessed) {
    ++guessed_;
    guessedSeconds_ += rate * unitsOf(rank.work) * rank.secondsPerCost;
  }
  return skip(rank, entry, rank.slot, kind, rank.work, rate);
}

void Sampler::executed(RankBursts &rank, double cost, bool disturbed, bool light, bool doubtful) {
  Slot &slot = rates_.slots()[rank.slot];
  Entry &entry = rates_.entries()[slot.burst];
  // Of its size: that a small one makes no pages says nothing of a large one.
  slot.light |= light && !slot.isMeasured();
  if (slot.light)
    rank.warmth = Warmth::Warm;
  const auto kind = static_cast<size_t>(rank.warmth);
  rates_.measured(rank, entry, cost, disturbed);
  watches_.noteExecuted(rank, entry, rank.slot, kind, cost, rates_);
  const Sample sample{cost,
                      unitsOf(rank.work),
                      rank.number,
                      disturbed,
                      doubtful,
                      static_cast<double>(rank.instructions),
                      rank.latestEntries,
                      policy_.counts,
                      rank.work != 0};
  rates_.keep(rank, entry, sample, kind);
  if (rank.warmth == Warmth::Warm)
    watches_.calibrate(rank.slot, rates_);
  else
    rates_.settle(slot, kind);
  if (policy_.learns())
    rates_.learn(rank, entry, sample, kind);
}

void Sampler::executedUnits(RankBursts &rank, uint64_t units, bool measured) {
  units &= rates_.entries()[rates_.slots()[rank.slot].burst].workMask;
  if (!measured)
    watches_.correct(rank, rank.slot, unitsOf(units) - unitsOf(rank.work));
  rank.work = units;
}

void Sampler::discarded(RankBursts &rank) {
  Entry &entry = rates_.entries()[rates_.slots()[rank.slot].burst];
  watches_.noteExecuted(rank, entry, rank.slot, static_cast<size_t>(rank.warmth), {}, rates_);
}

double Sampler::stretchEnded(RankBursts &rank, double seconds) {
  const bool watched = watches_.any();
  const double more = watches_.stretchEnded(rank, seconds, rates_);
  if (watched && !watches_.any())
    openings_.setWatching(false, rates_);
  return more;
}

Sampler::Sums Sampler::sums() const {
  Sums sums;
  for (const Entry &entry : rates_.entries())
    sums.skipped += entry.skippedSeconds;
  for (const Slot &slot : rates_.slots())
    if (isSkippable(rates_.entries()[slot.burst]))
      sums.executed += rates_.executedSeconds(slot);
  return sums;
}

void Sampler::setRanks(uint32_t ranks) {
  ranks_ = ranks;
  openings_.setRanks(ranks, rates_);
}

} // namespace gnomon::process::burst
