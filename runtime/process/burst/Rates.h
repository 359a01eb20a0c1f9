// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What samples say of the costs of bursts. Instances are told apart by
///   burst × bucket of work (unknown, or ⌊log2 work⌋) × warmth.
/// Each kind has an Estimator over all ranks and, where ranks are sampled by themselves, one a
/// rank. Its rate is known
///   - when an earlier run or the user has said it;
///   - else when there are samples enough (SamplePolicy), or stretches have told it (Watches);
///   - else when the next smaller or larger bucket has enough, and its rate agrees.
/// Once known it stays known.
#pragma once

#include "gnomon/Burst.h"
#include "process/burst/RankBursts.h"
#include "support/EarlierMedian.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace gnomon::process::burst {

/// Over all ranks: a burst in one bucket.
struct Slot {
  // What each skipped instance reads and writes.
  PerWarmth<Rate> rate;
  PerWarmth<double> factor{1, 1, 1}; ///< of the rate: what samples miss, and earlier runs say
  PerWarmth<double> skippedSeconds{0, 0, 0}; ///< simulated, that rest on this estimate
  uint64_t shape = 0;                        ///< its number in Stretch::shape
  uint64_t kind = 0;                         ///< its burst's in Stretch::kind

  uint32_t burst = 0;
  uint8_t bucket = 0;
  bool light = false; ///< first instances are like warm ones
  PerWarmth<Estimator> samples;
  double missed = 1; ///< by samples of warm instances, as a factor of their mean (Calibration)
  PerWarmth<EarlierMedian> earlier; ///< of what this run would charge

  double missedBy(size_t warmth) const {
    return warmth == static_cast<size_t>(Warmth::Warm) ? missed : 1;
  }
  /// What this run alone charges for a unit of work; 0 without samples.
  double ownRate(size_t warmth) const { return samples[warmth].rate() * missedBy(warmth); }

  /// Of executed instances: work × what a unit of cost takes on the rank's host, in simulated
  /// seconds. And of the measured ones work and cost.
  PerWarmth<double> executedWork{0, 0, 0}, measuredWork{0, 0, 0}, measuredCost{0, 0, 0};
  bool isMeasured() const { return measuredWork[0] + measuredWork[1] + measuredWork[2] > 0; }
  /// Mean cost of a unit of work of those that were measured, whatever their warmth.
  double measuredRate() const {
    return (measuredCost[0] + measuredCost[1] + measuredCost[2]) /
           (measuredWork[0] + measuredWork[1] + measuredWork[2]);
  }
  uint32_t stretches = 0, equations = 0; ///< of ranks that watched; those that were of use
  uint32_t ofEqualWork = 0; ///< of these, in stretches that were charged what equal work takes
  PerWarmth<std::optional<double>> knownError; ///< relative, of a rate from an earlier run
};

/// A burst in the runtime's table.
struct Entry {
  gnomon_burst *record = nullptr;
  uint64_t name = 0; ///< of its place in the program: the same in each run
  bool sized = true; ///< stretches are told apart by the sizes of its work (Stretches.h)
  // Bits of one word: each instance asks for several.
  bool open : 1 = false;  ///< it may be skipped now (Openings)
  bool plain : 1 = false; ///< never skipped: it needs no samples
  bool local : 1 = false; ///< sampled per rank
  bool toWeaken : 1 =
      false; ///< weakens others, and none of its instances was skipped yet; then they are frozen
  bool mayGoLocal : 1 = false; ///< so far over all ranks; the ranks' samples decide
  bool witnesses : 1 = false;  ///< a witness executes a sample of its own before it skips
  bool weakens : 1 = false;
  bool impatient : 1 = false;       ///< waits no longer for frail bursts' samples
  bool expected : 1 = true;         ///< false: an earlier run has met no instance
  uint64_t workMask = ~uint64_t{0}; ///< 0: an instance costs what the user said, whatever its work
  Rate fixedRate;                   ///< the user's cost of an instance
  double varies = 1;                ///< 0: with such a cost
  bool asUserSays = false;          ///< the user gave a cost or a number of samples
  SamplePolicy policy;              ///< with what the record overrides
  uint64_t executed = 0, skipped = 0;
  uint64_t passes = 0;       ///< on all ranks
  double skippedSeconds = 0; ///< simulated
  double skippedCost = 0;
  double measuredWork = 0, measuredCost = 0; ///< of executed instances that were measured
  uint64_t measured = 0, disturbed = 0;
  uint64_t nextMeasured = 0; ///< executed instances before one that needs no sample is measured
  std::array<uint32_t, Buckets> slots{}; ///< 1 + number of the Slot; 0: none

  /// Open, and nothing else is to be asked of it.
  bool isOpenToAll() const { return open && !plain && !local && !toWeaken; }
};

inline bool isFrail(const Entry &entry) { return entry.record->flags & GNOMON_BURST_FRAIL; }
inline bool isUnsafe(const Entry &entry) { return entry.record->flags & GNOMON_BURST_UNSAFE; }
inline bool isSkippable(const Entry &entry) { return entry.record->flags & GNOMON_BURST_SKIPPABLE; }

/// Whether instances may be skipped in this run, or in one that is given decisions.
inline bool maySometimesBeSkipped(const gnomon_burst &record) {
  const uint32_t decided = record.decided ? record.decided->flags : 0;
  return (record.flags | decided) & GNOMON_BURST_SKIPPABLE;
}

/// Bucket of rates for buckets without rates of their own.
inline constexpr uint8_t AnyBucket = 255;

/// What runs would have charged for a unit of work of a burst, without those before them.
struct EarlierRate {
  uint64_t burst = 0; ///< Entry::name
  uint32_t bucket = 0;
  uint32_t warmth = 0;       ///< a Warmth
  std::vector<double> costs; ///< of a unit of work: of each run
};

class Rates {
public:
  /// Nothing takes simulated time: every rate is 0.
  void costNothing() { free_ = true; }
  bool free() const { return free_; }

  /// Rates known from an earlier run, and their relative standard errors. \p record then needs no
  /// samples. To be told before the burst is added.
  void know(const gnomon_burst &record, uint8_t bucket, const PerWarmth<Rate> &rates,
            const PerWarmth<double> &errors);
  bool knows(const gnomon_burst &record) const { return known_.contains(&record); }
  /// A rank that is sampled by itself, though the user did not ask for it, is charged what all ranks are, unless its own
  /// rate lies farther from theirs than \p far, as a share of it: as executed ranks are (EqualWork.h).
  void evenOut(double far) { evenOut_ = far; }
  /// Bursts whose rates are learned in this run are charged the median of these and its own, unless stretches of equal
  /// work have told what samples miss: those were charged the median over runs already (EqualWork.h).
  void expect(std::vector<EarlierRate> earlier);
  /// What this run would charge without them, of kinds with samples enough.
  std::vector<EarlierRate> found() const;
  /// The samples of a slot, or what they miss, are others than before.
  void settle(Slot &slot, size_t warmth);
  /// The earlier run was the same as this one: it has met all that this one will meet.
  void knowAll() { knowsAll_ = true; }
  bool knowsAll() const { return knowsAll_; }

  const std::vector<Entry> &entries() const { return entries_; }
  std::vector<Entry> &entries() { return entries_; }
  /// Whether the burst was added.
  bool has(const gnomon_burst &record) const {
    return record.index - 1 < count_ && entries_[record.index - 1].record == &record;
  }
  /// The burst's entry; null when it was never added.
  const Entry *find(const gnomon_burst &record) const {
    return has(record) ? &entries_[record.index - 1] : nullptr;
  }
  Entry *find(const gnomon_burst &record) {
    return has(record) ? &entries_[record.index - 1] : nullptr;
  }
  Entry &add(const Entry &entry);

  const std::vector<Slot> &slots() const { return slots_; }
  std::vector<Slot> &slots() { return slots_; }
  /// The number of the burst's slot, made when first asked for.
  uint32_t slotOf(Entry &entry, size_t bucket);

  /// The present rate for a rank that knows \p mine of \p slot.
  static Rate of(const Entry &entry, const Slot &slot, const RankSlot &mine, size_t warmth) {
    if (!entry.local) [[likely]]
      return slot.rate[warmth];
    return mine.own ? mine.own->rate[warmth] : Rate();
  }
  /// The same after another look at the samples (of \p rank alone when the burst is sampled so) and
  /// those of the neighbouring buckets.
  Rate evaluate(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth);
  /// A rate for what can be executed no more; \p guessed: of other instances than these.
  double best(RankBursts &rank, const Entry &entry, size_t warmth, bool &guessed);

  /// The instance that ran last on \p rank has cost \p cost.
  void measured(const RankBursts &rank, Entry &entry, double cost, bool disturbed);
  /// Keeps it as a sample over all ranks.
  void keep(RankBursts &rank, const Entry &entry, const Sample &sample, size_t warmth);
  /// Finds the rate with it, over all ranks or of the rank's own.
  void learn(RankBursts &rank, Entry &entry, const Sample &sample, size_t warmth);

  /// Whether every kind of \p entry that has samples has enough.
  bool suffice(const Entry &entry) const;
  /// Whether stretches have told the rate of a kind, however its samples differ.
  static bool isCalibrated(const Slot &slot, size_t warmth);
  /// Simulated seconds of the executed instances in \p slot, measured or not: the means of those
  /// measured of each warmth (or of all of the slot, or of the burst, where there are none) × work.
  double executedSeconds(const Slot &slot) const;
  /// Mean cost per unit of work of all measured instances whose work was known; 0 without any.
  double mean() const { return knownWork_ > 0 ? knownCost_ / knownWork_ : 0; }

private:
  struct Known {
    uint8_t bucket;
    PerWarmth<Rate> rates;
    PerWarmth<double> errors;
  };

  RankSlot::Own &ownOf(RankBursts &rank, uint32_t slot);
  Rate borrow(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
              const Estimator &samples);
  const Estimator *neighbour(RankBursts &rank, const Entry &entry, size_t bucket, size_t warmth);
  double blindRate(const Entry &entry, const Slot &slot, uint64_t work) const;
  double evened(const Entry &entry, double own, const Estimator &all) const;

  bool free_ = false, knowsAll_ = false;
  double evenOut_ = 0;         ///< 0: each rank costs what its own samples say
  std::vector<Entry> entries_; ///< by gnomon_burst::index − 1
  uint32_t count_ = 0;         ///< of them: their size is a division away
  std::vector<Slot> slots_;
  std::unordered_map<const gnomon_burst *, std::vector<Known>> known_;
  std::vector<EarlierRate> earlier_;
  double knownWork_ = 0, knownCost_ = 0; ///< of measured instances whose work is known
};

} // namespace gnomon::process::burst
