// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Watches.h"

#include "process/burst/Tuning.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace gnomon::process::burst {
namespace {

constexpr auto Warm = static_cast<size_t>(Warmth::Warm);

void renewStretch(RankBursts &rank) {
  Stretch &stretch = rank.stretch;
  for (const Variation::Term &term : stretch.terms)
    rank.slots[term.kind].term = 0;
  stretch.terms.clear();
  stretch.shape = stretch.kind = 0;
  stretch.warm = true;
  stretch.measured = stretch.equalWork = 0;
  stretch.executed = stretch.skipped = 0;
  stretch.predicted = stretch.charged = stretch.known = 0;
  stretch.volume = 0;
}

/// So many instances in \p slot, of so much \p work together, are in the rank's stretch.
void addTerm(RankBursts &rank, uint32_t slot, uint32_t times, double work) {
  std::vector<Variation::Term> &terms = rank.stretch.terms;
  uint32_t &term = rank.slots[slot].term;
  if (term == 0) {
    terms.push_back({slot, 0, 0});
    term = static_cast<uint32_t>(terms.size());
  }
  terms[term - 1].times += times;
  terms[term - 1].work += work;
}

} // namespace

bool Watches::isWitness(uint32_t rank, uint32_t ranks) {
  const uint64_t witnesses = std::min<uint64_t>(MostWitnesses, ranks);
  // Witness i is rank ⌊i (ranks − 1) / (witnesses − 1)⌋: the first and the last are among them.
  if (witnesses < 2)
    return true;
  const uint64_t i = (uint64_t{rank} * (witnesses - 1) + ranks - 2) / (ranks - 1);
  return i * (ranks - 1) / (witnesses - 1) == rank;
}

bool Watches::consider(RankBursts &rank, const Entry &entry, Rate rate, const Rates &rates) {
  if (!calibrates_ || rates.free() || watches(rank) || rank.ended)
    return false;
  const bool witness = always_ || (rank.witness && !rank.watch.begun && !rates.knowsAll());
  rank.watch.begun = true;
  const bool teaches = !entry.plain && !entry.asUserSays && !rate &&
                       !isLearnt(rank, entry, rank.slot, static_cast<size_t>(rank.warmth), rates);
  if (!witness && !teaches)
    return false;
  rank.watch.number = watch_;
  const bool first = !watching_;
  watching_ = true;
  return first;
}

void Watches::end(const Rates &rates) {
  variation_.weighRanks();
  weighVariation(rates);
  ++watch_;
  watching_ = false;
  watchedBefore_ += watchedCost_;
  watchedCost_ = quietCost_ = 0;
}

bool Watches::isLongPass(const RankBursts &rank, double cost) {
  return rank.inPass >= LongPassInstances &&
         cost * static_cast<double>(rank.inPass) >= LongPassSeconds;
}

bool Watches::standsTooNear(RankBursts &rank, const Entry &entry, const Rates &rates) const {
  RankSlot &mine = rank.slots[rank.slot];
  const bool near = calibrates_ && !rates.free() && !entry.plain && !entry.asUserSays &&
                    rank.watch.sinceSkip < CleanSeconds && mine.untaken < MostUntaken;
  mine.untaken = near ? mine.untaken + 1 : 0;
  return near;
}

bool Watches::wantsSamples(const Entry &entry, uint32_t slot, const RankSlot &mine, size_t warmth,
                           const Rates &rates) {
  if (entry.local)
    return !mine.own || mine.own->samples[warmth].count() < MostWatchedSamples;
  return rates.slots()[slot].samples[warmth].count() < MostWatchedSamples;
}

/// Whether watching this kind longer would teach nothing.
bool Watches::isLearnt(const RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                       const Rates &rates) const {
  if (entry.plain || entry.asUserSays || rates.knows(*entry.record))
    return true;
  const Slot &all = rates.slots()[slot];
  const RankSlot &mine = rank.slots[slot];
  if (!Rates::of(entry, all, mine, warmth) && wantsSamples(entry, slot, mine, warmth, rates))
    return false;
  return warmth != Warm || Rates::isCalibrated(all, warmth) || all.stretches >= MostStretches;
}

void Watches::noteExecuted(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                           std::optional<double> measured, const Rates &rates) {
  if (!watches(rank))
    return;
  const double work = unitsOf(rank.work & entry.workMask);
  const double cost = measured ? *measured : rates.slots()[slot].samples[warmth].rate() * work;
  rank.watch.sinceSkip += cost;
  const bool warm = warmth == Warm;
  const double counts = warm && !entry.plain ? cost : 0;
  watchedCost_ += counts;
  quietCost_ = isLearnt(rank, entry, slot, warmth, rates) ? quietCost_ + counts : 0;
  Stretch &stretch = rank.stretch;
  stretch.predicted += cost;
  stretch.warm &= warm;
  addTerm(rank, slot, 1, work);
}

void Watches::noteAgain(RankBursts &rank, const Repeat &again, double work) {
  const double cost = again.begun * again.cost;
  rank.watch.sinceSkip += cost;
  rank.stretch.predicted += cost;
  addTerm(rank, again.slot, again.begun, work);
}

void Watches::correct(RankBursts &rank, uint32_t slot, double more) const {
  if (const uint32_t term = watches(rank) ? rank.slots[slot].term : 0)
    rank.stretch.terms[term - 1].work += more;
}

double Watches::stretchEnded(RankBursts &rank, double seconds, Rates &rates) {
  const Stretch &stretch = rank.stretch;
  double more = 0;
  if (watches(rank)) {
    if (!always_ || isWanted(stretch, seconds, rates))
      addEquation(rank, seconds, rates);
    if (!always_ && watchedCost_ > 0 && quietCost_ >= QuietShare * watchedCost_ &&
        watchedBefore_ + watchedCost_ >= LeastWatched)
      end(rates);
  } else if (stretch.skipped > 0) {
    if (stretch.executed == 0)
      addRest(stretch, seconds, rates);
    more = stretch.charged * (variation_.draw(rank.number, {stretch.first, stretch.shape}) - 1);
  }
  renewStretch(rank);
  return more;
}

/// Ranks that watch for ever look at some of the short stretches only, once they have seen those of all their bursts
/// often enough.
bool Watches::isWanted(const Stretch &stretch, double seconds, const Rates &rates) {
  uint32_t least = StretchesOfManyLong;
  for (const Variation::Term &term : stretch.terms)
    least = std::min(least, rates.slots()[term.kind].stretches);
  const bool taught = least >= StretchesOfMany, taughtLong = least >= StretchesOfManyLong;
  taught_ = taughtLong ? Taught::All : taught ? Taught::Much : Taught::Little;
  if (++stretches_ % StretchesBetweenWeighings == 0)
    variation_.weighRanks();
  return !taught || (seconds >= LongStretchSeconds && !taughtLong) ||
         stretches_ % StretchesBetweenLooks == 0;
}

void Watches::addEquation(RankBursts &rank, double seconds, Rates &rates) {
  const Stretch &stretch = rank.stretch;
  std::vector<Slot> &slots = rates.slots();
  bool useful = stretch.skipped == 0 && stretch.warm &&
                rank.watch.sinceSkip - stretch.predicted >= CleanSeconds &&
                SampleDisturbs * stretch.measured <= MostDisturbed * seconds;
  std::vector<Calibration::Term> terms;
  for (const Variation::Term &term : stretch.terms) {
    ++slots[term.kind].stretches;
    const Estimator &samples = slots[term.kind].samples[Warm];
    useful &= samples.count() > 0;
    terms.push_back({term.kind, term.work, samples.rate()});
  }
  if (!useful || !calibration_.add(stretch.first, seconds, terms))
    return;
  double charged = 0;
  for (const Variation::Term &term : stretch.terms) {
    Slot &slot = slots[term.kind];
    ++slot.equations;
    slot.ofEqualWork += stretch.equalWork != 0;
    calibrate(term.kind, rates);
    const Rate own = Rates::of(rates.entries()[slot.burst], slot, rank.slots[term.kind], Warm);
    charged += own.valueOr(slot.samples[Warm].rate()) * slot.missed * term.work;
  }
  variation_.add(rank.number, {stretch.first, stretch.shape}, seconds, charged, stretch.terms,
                 stretch.volume > 0 ? static_cast<double>(stretch.volume) : 1, stretch.equalWork);
}

/// The more is known of a rest, the less its mean moves: it is looked at ever more rarely.
void Watches::addRest(const Stretch &stretch, double seconds, Rates &rates) {
  if (!std::has_single_bit(calibration_.addRest(stretch.first, seconds)))
    return;
  for (uint32_t slot = 0; slot < rates.slots().size(); ++slot)
    calibrate(slot, rates);
  weighVariation(rates);
}

void Watches::weighVariation(const Rates &rates) {
  auto rateOf = [&](uint32_t slot) {
    const Slot &all = rates.slots()[slot];
    return all.samples[Warm].rate() * all.missed;
  };
  variation_.weighShapes(rateOf, [&](uint32_t first) { return calibration_.rest(first); });
}

void Watches::calibrate(uint32_t number, Rates &rates) const {
  Slot &slot = rates.slots()[number];
  if (slot.equations > 0 && slot.samples[Warm].rate() > 0)
    slot.missed = calibration_.rate(number) / slot.samples[Warm].rate();
  rates.settle(slot, Warm);
}

} // namespace gnomon::process::burst
