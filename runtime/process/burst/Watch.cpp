// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The sampler's ranks that watch, and what their stretches say of the samples.
#include "process/burst/Sampler.h"

#include <algorithm>
#include <bit>

namespace gnomon::process::burst {
namespace {

/// Seconds of executing everything after which the caches have forgotten what was skipped: they are
/// filled from memory at some 10 GB/s.
constexpr double CleanSeconds = 300e-6;
/// Part of a watch that must have had nothing more to teach.
constexpr double QuietShare = 0.33;
/// Seconds of warm instances that the ranks of a run watch at least, all together: the machine's
/// own speed wanders within a tenth of a second.
constexpr double LeastWatched = 0.1;
/// Samples of a kind while ranks watch, however they differ.
constexpr uint32_t MostWatchedSamples = 12;
/// Equations that a kind should have, and stretches with it after which it goes without.
constexpr uint32_t Equations = 8;
constexpr uint32_t MostStretches = 64;
/// A pass so long makes the caches its own: the rest of it may be skipped.
constexpr uint64_t LongPassInstances = 8;
constexpr double LongPassSeconds = 5e-3;
/// What a sample costs the code around it, in caches and predictors, and how much of a stretch that
/// may be.
constexpr double SampleDisturbs = 5e-6;
constexpr double MostDisturbed = 0.01;

} // namespace

/// The quick half for a rank that watches: what has nothing to teach runs unmeasured.
Decision Sampler::watch(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth) {
  RankSlot &mine = rank.slots[slot];
  const auto kind = static_cast<size_t>(warmth);
  const double rate = rateFor(entry, slots_[slot], mine, kind);
  const bool teaches = entry.plain ? entry.executed + 1 >= entry.nextMeasured
                                   : (rate < 0 && wantsSamples(entry, slot, mine, kind)) ||
                                         owesSample(rank, entry, mine, kind) || isFrozen(entry);
  if (teaches) {
    rank.slot = slot;
    rank.warmth = warmth;
    return {};
  }
  const double cost = std::max(rate, 0.0) * unitsOf(rank.work & entry.workMask);
  const bool longPass = rank.inPass >= LongPassInstances &&
                        cost * static_cast<double>(rank.inPass) >= LongPassSeconds;
  if (entry.open && rate >= 0 && (entry.asUserSays || longPass))
    return skip(rank, entry, slot, kind, rank.work & entry.workMask, rate);
  const Decision decision = run(rank, entry, slot, warmth);
  noteExecuted(rank, entry, slot, static_cast<size_t>(rank.warmth), -1);
  return decision;
}

/// A rank begins to watch at an instance whose kind has no \p rate.
void Sampler::considerWatch(RankBursts &rank, const Entry &entry, double rate) {
  if (!calibrates_ || free_ || watches(rank) || rank.ended)
    return;
  const bool witness = rank.witness && !rank.watch.begun;
  rank.watch.begun = true;
  const bool teaches = !entry.plain && !entry.asUserSays && rate < 0 &&
                       !isLearnt(rank, entry, rank.slot, static_cast<size_t>(rank.warmth));
  if (!witness && !teaches)
    return;
  rank.watch.number = watch_;
  if (!watching_) {
    watching_ = true;
    updateAllOpen();
  }
}

void Sampler::endWatch() {
  variation_.weighRanks();
  weighVariation();
  ++watch_;
  watching_ = false;
  watchedBefore_ += watchedCost_;
  watchedCost_ = quietCost_ = 0;
  updateAllOpen();
}

/// Whether the caches still remember what was skipped. After two samples that were not taken for
/// that the third is: it is better than none.
bool Sampler::standsTooNear(RankBursts &rank, const Entry &entry) {
  constexpr uint8_t MostInARow = 2;
  RankSlot &mine = rank.slots[rank.slot];
  const bool near = calibrates_ && !free_ && !entry.plain && !entry.asUserSays &&
                    rank.watch.sinceSkip < CleanSeconds && mine.untaken < MostInARow;
  mine.untaken = near ? mine.untaken + 1 : 0;
  return near;
}

/// Whether a kind without a rate is to be measured. Where a dozen samples differ too much, others
/// would only disturb the stretches, which say more of it.
bool Sampler::wantsSamples(const Entry &entry, uint32_t slot, const RankSlot &mine,
                           size_t warmth) const {
  if (entry.local)
    return !mine.own || mine.own->samples[warmth].count() < MostWatchedSamples;
  return slots_[slot].samples[warmth].count() < MostWatchedSamples;
}

/// Whether stretches have told the rate of a kind, however its samples differ.
bool Sampler::isCalibrated(uint32_t slot, size_t warmth) const {
  return warmth == static_cast<size_t>(Warmth::Warm) && slots_[slot].equations >= Equations;
}

/// Whether watching this kind longer would teach nothing.
bool Sampler::isLearnt(const RankBursts &rank, const Entry &entry, uint32_t slot,
                       size_t warmth) const {
  if (entry.plain || entry.asUserSays || known_.contains(entry.record))
    return true;
  const Slot &all = slots_[slot];
  const RankSlot &mine = rank.slots[slot];
  if (rateFor(entry, all, mine, warmth) < 0 && wantsSamples(entry, slot, mine, warmth))
    return false;
  return warmth != static_cast<size_t>(Warmth::Warm) || isCalibrated(slot, warmth) ||
         all.stretches >= MostStretches;
}

/// An instance of a rank that watches is executed. \p cost: as measured; below 0: it is not.
void Sampler::noteExecuted(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                           double cost) {
  if (!watches(rank))
    return;
  const double work = unitsOf(rank.work & entry.workMask);
  if (cost < 0)
    cost = slots_[slot].samples[warmth].rate() * work;
  rank.watch.sinceSkip += cost;
  const bool warm = warmth == static_cast<size_t>(Warmth::Warm);
  const double counts = warm && !entry.plain ? cost : 0;
  watchedCost_ += counts;
  quietCost_ = isLearnt(rank, entry, slot, warmth) ? quietCost_ + counts : 0;
  Stretch &stretch = rank.stretch;
  stretch.predicted += cost;
  stretch.warm &= warm;
  uint32_t &term = rank.slots[slot].term;
  if (term == 0) {
    stretch.terms.push_back({slot, 0});
    term = static_cast<uint32_t>(stretch.terms.size());
  }
  stretch.terms[term - 1].work += work;
}

double Sampler::stretchEnded(RankBursts &rank, double seconds) {
  const Stretch &stretch = rank.stretch;
  double more = 0;
  if (watches(rank)) {
    addEquation(rank, seconds);
    if (watchedCost_ > 0 && quietCost_ >= QuietShare * watchedCost_ &&
        watchedBefore_ + watchedCost_ >= LeastWatched)
      endWatch();
  } else if (stretch.skipped > 0) {
    if (stretch.executed == 0)
      addRest(stretch, seconds);
    more = stretch.charged * (variation_.draw(rank.number, {stretch.first, stretch.shape}) - 1);
  }
  renewStretch(rank);
  return more;
}

void Sampler::addEquation(RankBursts &rank, double seconds) {
  constexpr auto Warm = static_cast<size_t>(Warmth::Warm);
  const Stretch &stretch = rank.stretch;
  bool useful = stretch.skipped == 0 && stretch.warm &&
                rank.watch.sinceSkip - stretch.predicted >= CleanSeconds &&
                SampleDisturbs * stretch.measured <= MostDisturbed * seconds;
  std::vector<Calibration::Term> terms;
  for (const Variation::Term &term : stretch.terms) {
    ++slots_[term.kind].stretches;
    const Estimator &samples = slots_[term.kind].samples[Warm];
    useful &= samples.count() > 0;
    terms.push_back({term.kind, term.work, samples.rate()});
  }
  if (!useful || !calibration_.add(stretch.first, seconds, terms))
    return;
  double charged = 0;
  for (const Variation::Term &term : stretch.terms) {
    Slot &slot = slots_[term.kind];
    ++slot.equations;
    calibrate(term.kind);
    const double own = rateFor(entries_[slot.burst], slot, rank.slots[term.kind], Warm);
    charged += (own >= 0 ? own : slot.samples[Warm].rate()) * slot.factor[Warm] * term.work;
  }
  variation_.add(rank.number, {stretch.first, stretch.shape}, seconds, charged, stretch.terms);
}

/// The more is known of a rest, the less its mean moves: it is looked at ever more rarely.
void Sampler::addRest(const Stretch &stretch, double seconds) {
  if (!std::has_single_bit(calibration_.addRest(stretch.first, seconds)))
    return;
  for (uint32_t slot = 0; slot < slots_.size(); ++slot)
    calibrate(slot);
  weighVariation();
}

void Sampler::weighVariation() {
  auto rateOf = [&](uint32_t slot) {
    const Slot &all = slots_[slot];
    constexpr auto Warm = static_cast<size_t>(Warmth::Warm);
    return all.samples[Warm].rate() * all.factor[Warm];
  };
  variation_.weighShapes(rateOf, [&](uint32_t first) { return calibration_.rest(first); });
}

void Sampler::calibrate(uint32_t number) {
  constexpr auto Warm = static_cast<size_t>(Warmth::Warm);
  Slot &slot = slots_[number];
  if (slot.equations > 0 && slot.samples[Warm].rate() > 0)
    slot.factor[Warm] = calibration_.rate(number) / slot.samples[Warm].rate();
}

void Sampler::renewStretch(RankBursts &rank) {
  Stretch &stretch = rank.stretch;
  for (const Variation::Term &term : stretch.terms)
    rank.slots[term.kind].term = 0;
  stretch.terms.clear();
  stretch.shape = 0;
  stretch.warm = true;
  stretch.measured = 0;
  stretch.executed = stretch.skipped = 0;
  stretch.predicted = stretch.charged = 0;
}

} // namespace gnomon::process::burst
