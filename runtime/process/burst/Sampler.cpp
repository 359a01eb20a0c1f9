// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Sampler.h"

#include <algorithm>
#include <cmath>

namespace gnomon::process::burst {
namespace {

using Scope = SamplePolicy::Scope;

/// Relative difference up to which two rates are the same, in relative errors asked for: each of
/// the two may be off by one.
constexpr double AgreeErrors = 2;
/// A weakening burst waits for the samples of frail ones during so many passes on each rank, and
/// during so many instances in one pass: nothing else is met before that ends.
constexpr uint64_t PatiencePasses = 50;
constexpr uint64_t PatienceInstances = 10000;
/// Samples over all ranks are kept up to this number when each rank samples for itself.
constexpr uint32_t MostKept = 512;

bool agree(double a, double b, const SamplePolicy &policy) {
  return std::abs(a - b) <= AgreeErrors * policy.relativeError * std::min(a, b);
}

bool isFrail(const Entry &entry) { return entry.record->flags & GNOMON_BURST_FRAIL; }
bool isSkippable(const Entry &entry) { return entry.record->flags & GNOMON_BURST_SKIPPABLE; }

} // namespace

Sampler::Sampler(SamplePolicy policy, uint32_t ranks, double flopsPerCost)
    : policy_(policy), ranks_(ranks), flopsPerCost_(flopsPerCost) {}

bool Sampler::isWitness(uint32_t rank, uint32_t ranks) {
  constexpr uint64_t Most = 8;
  const uint64_t witnesses = std::min<uint64_t>(Most, ranks);
  // Witness i is rank ⌊i (ranks − 1) / (witnesses − 1)⌋: the first and the last are among them.
  if (witnesses < 2)
    return true;
  const uint64_t i = (uint64_t{rank} * (witnesses - 1) + ranks - 2) / (ranks - 1);
  return i * (ranks - 1) / (witnesses - 1) == rank;
}

Entry &Sampler::entryOf(gnomon_burst &record) {
  if (record.index - 1 < entries_.size() && entries_[record.index - 1].record == &record)
    return entries_[record.index - 1];
  Entry entry;
  entry.record = &record;
  entry.policy = policy_;
  entry.weakens = record.flags & GNOMON_BURST_WEAKENS;
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
  entry.witnesses = entry.mayGoLocal && record.samples == 0 && !free_;
  if (record.flops >= 0) {
    entry.fixedRate = record.flops / flopsPerCost_;
    entry.workMask = 0;
    entry.varies = 0;
    entry.witnesses = entry.mayGoLocal = false;
  }
  if (known_.contains(&record))
    entry.witnesses = entry.mayGoLocal = entry.local = false;
  entry.plain = !policy_.skips() || !isSkippable(entry);
  entries_.push_back(std::move(entry));
  record.index = static_cast<uint32_t>(entries_.size());
  updateOpen(entries_.back());
  return entries_.back();
}

void Sampler::declare(gnomon_burst &record) { entryOf(record); }

void Sampler::know(gnomon_burst &record, uint8_t bucket, const PerWarmth<double> &rates,
                   const PerWarmth<double> &errors) {
  known_[&record].push_back({bucket, rates, errors});
}

uint32_t Sampler::slotOf(Entry &entry, size_t bucket) {
  uint32_t &number = entry.slots[bucket];
  if (number)
    return number - 1;
  Slot slot;
  slot.burst = entry.record->index - 1;
  slot.bucket = static_cast<uint8_t>(bucket);
  if (auto found = known_.find(entry.record); found != known_.end())
    for (const Known &known : found->second)
      if (known.bucket == bucket || (known.bucket == AnyBucket && slot.rate[2] < 0)) {
        slot.rate = known.rates;
        slot.knownError = known.errors;
      }
  const bool noSamples = entry.fixedRate >= 0 && entry.record->samples == 0;
  if (free_ || noSamples)
    slot.rate.fill(free_ ? 0 : entry.fixedRate);
  slots_.push_back(std::move(slot));
  number = static_cast<uint32_t>(slots_.size());
  return number - 1;
}

void Sampler::place(RankBursts &rank, Entry &entry, uint32_t entries) {
  rank.work &= entry.workMask;
  rank.slot = slotOf(entry, bucketOf(rank.work));
  if (rank.slot >= rank.slots.size())
    rank.slots.resize(slots_.size());
  rank.warmth = enter(rank, entry.record->index, rank.slots[rank.slot], entry, entries);
}

Warmth Sampler::enterFirstPass(const RankBursts &rank, RankSlot &mine, const Entry &entry) {
  if (entry.light) {
    mine.stage = 2;
    return Warmth::Warm;
  }
  if (mine.stage == 0) {
    mine.stage = 1;
    mine.pass = rank.pass;
    return Warmth::First;
  }
  if (mine.pass == rank.pass && (entry.record->flags & GNOMON_BURST_ITERATION))
    return Warmth::Cold;
  mine.stage = 2;
  return Warmth::Warm;
}

bool Sampler::wantsMeasure(const RankBursts &rank, Entry &entry, const RankSlot &mine,
                           size_t warmth, double rate) const {
  const bool sampled = policy_.skips() && isSkippable(entry) && !free_;
  if (sampled && (rate < 0 || owesSample(rank, entry, mine, warmth)))
    return true;
  if (entry.executed <= alwaysMeasured_)
    return true;
  if (entry.executed < entry.nextMeasured)
    return false;
  entry.nextMeasured = entry.executed + entry.executed / 4;
  return true;
}

Decision Sampler::decide(RankBursts &rank, gnomon_burst &record, uint32_t entries) {
  Entry &entry = entryOf(record);
  if (rank.slot == NoSlot)
    place(rank, entry, entries);
  if (isFrozen(entry) && isSkippable(entry))
    return skipBlindly(rank, entry);
  const auto kind = static_cast<size_t>(rank.warmth);
  RankSlot &mine = rank.slots[rank.slot];
  double rate = rateFor(entry, slots_[rank.slot], mine, kind);
  if (rate < 0 && policy_.skips() && isSkippable(entry))
    rate = evaluate(rank, entry, rank.slot, kind);
  considerWatch(rank, entry, rate);
  // Whoever weakens others looks at them now and then; it is executed until they are known.
  if (!entry.open && rate >= 0 && (entry.executed < 1000 || entry.executed % 64 == 0)) {
    entry.impatient |= entry.passes >= PatiencePasses * ranks_ || rank.inPass > PatienceInstances;
    updateOpen(entry);
  }
  if (entry.open && rate >= 0 && (entry.asUserSays || !watches(rank)) &&
      !owesSample(rank, entry, mine, kind))
    return skip(rank, entry, rank.slot, kind, rank.work, rate);
  ++entry.executed;
  entry.executedWork += unitsOf(rank.work);
  const bool needed = rate < 0 || owesSample(rank, entry, mine, kind);
  const bool measure =
      wantsMeasure(rank, entry, mine, kind, rate) && !(needed && standsTooNear(rank, entry));
  // An instance that runs where none has run before makes its pages, whatever was skipped.
  if (!mine.executed && !entry.light)
    rank.warmth = Warmth::First;
  mine.executed = true;
  ++rank.stretch.executed;
  rank.stretch.shape += shapeOf(rank.slot);
  rank.stretch.measured += measure;
  if (!measure)
    noteExecuted(rank, entry, rank.slot, static_cast<size_t>(rank.warmth), -1);
  return {measure ? Decision::Action::Measure : Decision::Action::Run, 0};
}

double Sampler::blindRate(const Entry &entry, const Slot &slot, uint64_t work) const {
  for (Warmth warmth : {Warmth::Warm, Warmth::Cold, Warmth::First})
    if (const Estimator &samples = slot.samples[static_cast<size_t>(warmth)]; samples.count())
      return samples.rate();
  if (entry.measuredWork > 0 && work > 0)
    return entry.measuredCost / entry.measuredWork;
  return work > 0 ? meanRate() : 0;
}

Decision Sampler::skipBlindly(RankBursts &rank, Entry &entry) {
  const auto kind = static_cast<size_t>(rank.warmth);
  Slot &place = slots_[rank.slot];
  double rate = evaluate(rank, entry, rank.slot, kind);
  if (rate < 0 && place.samples[kind].count())
    rate = place.samples[kind].rate();
  if (rate < 0) {
    rate = blindRate(entry, place, rank.work);
    ++guessed_;
    guessedSeconds_ += rate * unitsOf(rank.work) * rank.secondsPerCost;
  }
  return skip(rank, entry, rank.slot, kind, rank.work, rate);
}

void Sampler::executed(RankBursts &rank, double cost, bool disturbed, bool light) {
  Slot &slot = slots_[rank.slot];
  Entry &entry = entries_[slot.burst];
  entry.light |= light && entry.measured == 0;
  if (entry.light)
    rank.warmth = Warmth::Warm;
  const double work = unitsOf(rank.work);
  ++entry.measured;
  entry.disturbed += disturbed;
  entry.measuredWork += work;
  entry.measuredCost += cost;
  entry.executedSeconds += cost * rank.secondsPerCost;
  if (rank.work) {
    knownWork_ += work;
    knownCost_ += cost;
  }
  const auto kind = static_cast<size_t>(rank.warmth);
  noteExecuted(rank, entry, rank.slot, kind, cost);
  const Sample sample{cost, work, rank.number, disturbed};
  RankSlot &mine = rank.slots[rank.slot];
  mine.sampled |= static_cast<uint8_t>(1u << kind);
  if (slot.samples[kind].count() < std::max(MostKept, entry.policy.mostSamples))
    slot.samples[kind].add(sample);
  if (rank.warmth == Warmth::Warm)
    calibrate(rank.slot);
  if (!policy_.skips() || free_ || known_.contains(entry.record))
    return;
  if (entry.local) {
    // ownOf takes what stands in the samples of all ranks, this one included, the first time.
    const bool first = !mine.own;
    RankSlot::Own &own = ownOf(rank, rank.slot);
    if (!first)
      own.samples[kind].add(sample);
  } else if (entry.mayGoLocal && slot.samples[kind].enough(entry.policy) &&
             slot.samples[kind].rankDisagreement() > AgreeErrors * entry.policy.relativeError) {
    entry.local = true;
    entry.witnesses = false;
    return;
  }
  evaluate(rank, entry, rank.slot, kind);
}

RankSlot::Own &Sampler::ownOf(RankBursts &rank, uint32_t slot) {
  RankSlot &mine = rank.slots[slot];
  if (!mine.own) {
    mine.own = std::make_unique<RankSlot::Own>();
    for (size_t kind = 0; kind < Warmths; ++kind)
      mine.own->samples[kind] = slots_[slot].samples[kind].of(rank.number);
    if (const Slot &all = slots_[slot]; entries_[all.burst].fixedRate >= 0)
      mine.own->rate = all.rate;
  }
  return *mine.own;
}

double Sampler::evaluate(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth) {
  RankSlot::Own *own = entry.local ? &ownOf(rank, slot) : nullptr;
  const Estimator &samples = own ? own->samples[warmth] : slots_[slot].samples[warmth];
  double &rate = own ? own->rate[warmth] : slots_[slot].rate[warmth];
  if (samples.enough(entry.policy) ||
      (isCalibrated(slot, warmth) && samples.count() >= entry.policy.leastSamples))
    rate = entry.fixedRate >= 0 ? entry.fixedRate : samples.rate();
  else if (rate < 0 && entry.fixedRate < 0)
    rate = borrow(rank, entry, slot, warmth, samples);
  return rate;
}

const Estimator *Sampler::neighbour(RankBursts &rank, const Entry &entry, size_t bucket,
                                    size_t warmth) {
  if (bucket < 1 || bucket >= Buckets || entry.slots[bucket] == 0)
    return nullptr;
  const uint32_t slot = entry.slots[bucket] - 1;
  const Estimator *samples = &slots_[slot].samples[warmth];
  if (entry.local) {
    if (slot >= rank.slots.size())
      return nullptr;
    samples = &ownOf(rank, slot).samples[warmth];
  }
  return samples->enough(entry.policy) ? samples : nullptr;
}

double Sampler::borrow(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                       const Estimator &samples) {
  // A user who gives a number of samples means it.
  const size_t bucket = slots_[slot].bucket;
  if (bucket == 0 || entry.record->samples > 0)
    return -1;
  const Estimator *below = neighbour(rank, entry, bucket - 1, warmth);
  const Estimator *above = neighbour(rank, entry, bucket + 1, warmth);
  if (samples.count() == 0)
    return below && above && agree(below->rate(), above->rate(), entry.policy)
               ? (below->rate() + above->rate()) / 2
               : -1;
  for (const Estimator *other : {below, above})
    if (other && agree(samples.rate(), other->rate(), entry.policy))
      return samples.with(*other).rate();
  return -1;
}

void Sampler::updateOpen(Entry &entry) {
  entry.open = policy_.skips() && isSkippable(entry) && entry.record->phase <= reached_ &&
               (!entry.weakens ||
                ((!watching_ || entry.weakened || entry.impatient) && frailAreKnown(entry)));
}

void Sampler::updateAllOpen() {
  for (Entry &entry : entries_)
    updateOpen(entry);
}

/// The pass lists whom a burst weakens; a record made by hand without a list weakens all.
void Sampler::weaken(Entry &entry) {
  entry.weakened = true;
  const gnomon_burst &record = *entry.record;
  allFrozen_ |= !record.frail;
  for (uint32_t i = 0; record.frail && i < record.frail_count; ++i)
    frozen_.insert(record.frail[i]);
}

bool Sampler::isFrozen(const Entry &entry) const {
  return isFrail(entry) && (allFrozen_ || frozen_.contains(entry.record));
}

/// Whether \p frail may be frozen. It must be of a phase that has begun, because it is skipped from
/// then on; and have samples enough, where they are \p needed.
bool Sampler::isKnown(const gnomon_burst &frail, bool needed) const {
  if (frail.phase > reached_)
    return false;
  if (!needed || free_)
    return true;
  const uint32_t at = frail.index - 1;
  return at < entries_.size() && entries_[at].record == &frail && sufficesFrail(entries_[at]);
}

bool Sampler::frailAreKnown(const Entry &weakening) const {
  const gnomon_burst &record = *weakening.record;
  if (!record.frail)
    return std::all_of(entries_.begin(), entries_.end(), [&](const Entry &entry) {
      return !isFrail(entry) || isKnown(*entry.record, !weakening.impatient);
    });
  for (uint32_t i = 0; i < record.frail_count; ++i)
    // One that has not come yet is waited for without end: it could never be sampled.
    if (const bool met = record.frail[i]->index != 0;
        !isKnown(*record.frail[i], i < record.frail_waits && (!weakening.impatient || !met)))
      return false;
  return true;
}

bool Sampler::sufficesFrail(const Entry &frail) const {
  bool any = frail.fixedRate >= 0 || known_.contains(frail.record);
  for (uint32_t number : frail.slots) {
    if (number == 0)
      continue;
    const Slot &slot = slots_[number - 1];
    for (Warmth warmth : {Warmth::Cold, Warmth::Warm}) {
      const auto kind = static_cast<size_t>(warmth);
      const bool enough = slot.rate[kind] >= 0 || slot.samples[kind].enough(frail.policy);
      if (slot.samples[kind].count() && !enough)
        return false;
      any |= enough;
    }
  }
  return any;
}

void Sampler::notePassed(uint32_t after, uint32_t phase) {
  if (phase > passed_.size())
    passed_.resize(phase, ended_);
  for (uint32_t k = after; k < phase; ++k)
    ++passed_[k];
  const uint32_t before = reached_;
  while (reached_ < passed_.size() && passed_[reached_] >= ranks_)
    ++reached_;
  if (reached_ != before)
    updateAllOpen();
}

void Sampler::setRanks(uint32_t ranks) {
  ranks_ = ranks;
  if (reached_ == 0)
    return;
  reached_ = 0;
  updateAllOpen();
}

void Sampler::enterPhase(RankBursts &rank, uint32_t phase) {
  if (phase <= rank.phase || rank.ended)
    return;
  const uint32_t before = rank.phase;
  rank.phase = phase;
  notePassed(before, phase);
}

void Sampler::rankEnded(RankBursts &rank) {
  if (rank.ended)
    return;
  rank.ended = true;
  notePassed(rank.phase, std::max(rank.phase, static_cast<uint32_t>(passed_.size())));
  ++ended_;
}

} // namespace gnomon::process::burst
