// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Rates.h"

#include "process/burst/Tuning.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gnomon::process::burst {
namespace {

bool agree(double a, double b, const SamplePolicy &policy) {
  return std::abs(a - b) <= AgreeErrors * policy.relativeError * std::min(a, b);
}

} // namespace

void Rates::know(const gnomon_burst &record, uint8_t bucket, const PerWarmth<Rate> &rates,
                 const PerWarmth<double> &errors) {
  known_[&record].push_back({bucket, rates, errors});
}

void Rates::expect(std::vector<EarlierRate> earlier) { earlier_ = std::move(earlier); }

std::vector<EarlierRate> Rates::found() const {
  std::vector<EarlierRate> all;
  for (const Slot &slot : slots_)
    for (uint32_t warmth = 0; warmth < Warmths; ++warmth) {
      const Entry &entry = entries_[slot.burst];
      const double rate = slot.ownRate(warmth);
      if (slot.samples[warmth].count() >= entry.policy.leastSamples && rate > 0)
        all.push_back({entry.name, slot.bucket, warmth, {rate}});
    }
  return all;
}

void Rates::settle(Slot &slot, size_t warmth) {
  const double own = slot.ownRate(warmth);
  const bool ofMedians = isCalibrated(slot, warmth) && slot.ofEqualWork >= Equations;
  slot.factor[warmth] =
      slot.missedBy(warmth) * (own > 0 && !ofMedians ? slot.earlier[warmth].by(own) : 1);
}

Entry &Rates::add(const Entry &entry) {
  entries_.push_back(entry);
  entries_.back().record->index = ++count_;
  return entries_.back();
}

uint32_t Rates::slotOf(Entry &entry, size_t bucket) {
  uint32_t &number = entry.slots[bucket];
  if (number)
    return number - 1;
  Slot slot;
  slot.burst = entry.record->index - 1;
  slot.bucket = static_cast<uint8_t>(bucket);
  if (auto found = known_.find(entry.record); found != known_.end())
    for (const Known &known : found->second)
      if (known.bucket == bucket || (known.bucket == AnyBucket && !slot.rate[2])) {
        slot.rate = known.rates;
        std::copy(known.errors.begin(), known.errors.end(), slot.knownError.begin());
      }
  if (!knows(*entry.record) && !entry.fixedRate)
    for (const EarlierRate &one : earlier_)
      if (one.burst == entry.name && one.bucket == bucket)
        slot.earlier[one.warmth] = EarlierMedian(one.costs);
  const bool noSamples = entry.fixedRate && entry.record->samples == 0;
  if (free_ || noSamples)
    slot.rate.fill(free_ ? Rate(0) : entry.fixedRate);
  slot.kind = shapeOf(entry.name, AnyBucket);
  slot.shape = entry.sized ? shapeOf(entry.name, bucket) : slot.kind;
  slots_.push_back(std::move(slot));
  number = static_cast<uint32_t>(slots_.size());
  return number - 1;
}

bool Rates::isCalibrated(const Slot &slot, size_t warmth) {
  return warmth == static_cast<size_t>(Warmth::Warm) && slot.equations >= Equations;
}

double Rates::blindRate(const Entry &entry, const Slot &slot, uint64_t work) const {
  for (Warmth warmth : {Warmth::Warm, Warmth::Cold, Warmth::First})
    if (const Estimator &samples = slot.samples[static_cast<size_t>(warmth)]; samples.count())
      return samples.rate();
  if (entry.measuredWork > 0 && work > 0)
    return entry.measuredCost / entry.measuredWork;
  return work > 0 ? mean() : 0;
}

double Rates::best(RankBursts &rank, const Entry &entry, size_t warmth, bool &guessed) {
  guessed = false;
  if (const Rate rate = evaluate(rank, entry, rank.slot, warmth))
    return *rate;
  const Slot &slot = slots_[rank.slot];
  if (slot.samples[warmth].count())
    return slot.samples[warmth].rate();
  guessed = true;
  return blindRate(entry, slot, rank.work);
}

void Rates::measured(const RankBursts &rank, Entry &entry, double cost, bool disturbed) {
  const double work = unitsOf(rank.work);
  ++entry.measured;
  entry.disturbed += disturbed;
  entry.measuredWork += work;
  entry.measuredCost += cost;
  Slot &slot = slots_[rank.slot];
  slot.measuredWork[static_cast<size_t>(rank.warmth)] += work;
  slot.measuredCost[static_cast<size_t>(rank.warmth)] += cost;
  if (rank.work) {
    knownWork_ += work;
    knownCost_ += cost;
  }
}

double Rates::executedSeconds(const Slot &slot) const {
  const Entry &entry = entries_[slot.burst];
  double work = 0, cost = 0;
  for (size_t kind = 0; kind < Warmths; ++kind) {
    work += slot.measuredWork[kind];
    cost += slot.measuredCost[kind];
  }
  if (work == 0) {
    work = entry.measuredWork;
    cost = entry.measuredCost;
  }
  if (work == 0)
    return 0;
  double seconds = 0;
  for (size_t kind = 0; kind < Warmths; ++kind) {
    const bool own = slot.measuredWork[kind] > 0;
    const double rate = own ? slot.measuredCost[kind] / slot.measuredWork[kind] : cost / work;
    seconds += rate * slot.executedWork[kind];
  }
  return seconds;
}

void Rates::keep(RankBursts &rank, const Entry &entry, const Sample &sample, size_t warmth) {
  rank.slots[rank.slot].sampled |= static_cast<uint8_t>(1u << warmth);
  Estimator &samples = slots_[rank.slot].samples[warmth];
  if (samples.count() < std::max(MostKept, samples.most(entry.policy)))
    samples.add(sample);
}

void Rates::learn(RankBursts &rank, Entry &entry, const Sample &sample, size_t warmth) {
  if (free_ || knows(*entry.record))
    return;
  const Estimator &all = slots_[rank.slot].samples[warmth];
  if (entry.local) {
    // ownOf takes what stands in the samples of all ranks, this one included, the first time.
    const bool first = !rank.slots[rank.slot].own;
    RankSlot::Own &own = ownOf(rank, rank.slot);
    if (!first)
      own.samples[warmth].add(sample);
  } else if (entry.mayGoLocal && all.enough(entry.policy) &&
             all.rankDisagreement() > AgreeErrors * entry.policy.relativeError) {
    entry.local = true;
    entry.witnesses = false;
    return;
  }
  evaluate(rank, entry, rank.slot, warmth);
}

RankSlot::Own &Rates::ownOf(RankBursts &rank, uint32_t slot) {
  RankSlot &mine = rank.slots[slot];
  if (!mine.own) {
    mine.own = std::make_unique<RankSlot::Own>();
    for (size_t kind = 0; kind < Warmths; ++kind)
      mine.own->samples[kind] = slots_[slot].samples[kind].of(rank.number);
    if (const Slot &all = slots_[slot]; entries_[all.burst].fixedRate)
      mine.own->rate = all.rate;
  }
  return *mine.own;
}

double Rates::evened(const Entry &entry, double own, const Estimator &all) const {
  const double mean = all.rate();
  const bool asked = entry.policy.scope == SamplePolicy::Scope::Local;
  return !asked && mean > 0 && std::abs(own / mean - 1) < evenOut_ ? mean : own;
}

Rate Rates::evaluate(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth) {
  RankSlot::Own *own = entry.local ? &ownOf(rank, slot) : nullptr;
  const Estimator &samples = own ? own->samples[warmth] : slots_[slot].samples[warmth];
  Rate &rate = own ? own->rate[warmth] : slots_[slot].rate[warmth];
  if (samples.enough(entry.policy) ||
      (isCalibrated(slots_[slot], warmth) && samples.count() >= entry.policy.leastSamples))
    rate = entry.fixedRate ? entry.fixedRate
           : own           ? Rate(evened(entry, samples.rate(), slots_[slot].samples[warmth]))
                           : Rate(samples.rate());
  else if (!rate && !entry.fixedRate)
    rate = borrow(rank, entry, slot, warmth, samples);
  return rate;
}

const Estimator *Rates::neighbour(RankBursts &rank, const Entry &entry, size_t bucket,
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

Rate Rates::borrow(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                   const Estimator &samples) {
  // A user who gives a number of samples means it.
  const size_t bucket = slots_[slot].bucket;
  if (bucket == 0 || entry.record->samples > 0)
    return {};
  const Estimator *below = neighbour(rank, entry, bucket - 1, warmth);
  const Estimator *above = neighbour(rank, entry, bucket + 1, warmth);
  if (samples.count() == 0)
    return below && above && agree(below->rate(), above->rate(), entry.policy)
               ? Rate((below->rate() + above->rate()) / 2)
               : Rate();
  for (const Estimator *other : {below, above})
    if (other && agree(samples.rate(), other->rate(), entry.policy))
      return samples.with(*other).rate();
  return {};
}

bool Rates::suffice(const Entry &entry) const {
  bool any = entry.fixedRate || knows(*entry.record);
  for (uint32_t number : entry.slots) {
    if (number == 0)
      continue;
    const Slot &slot = slots_[number - 1];
    for (Warmth warmth : {Warmth::Cold, Warmth::Warm}) {
      const auto kind = static_cast<size_t>(warmth);
      const bool enough = slot.rate[kind] || slot.samples[kind].enough(entry.policy);
      if (slot.samples[kind].count() && !enough)
        return false;
      any |= enough;
    }
  }
  return any;
}

} // namespace gnomon::process::burst
