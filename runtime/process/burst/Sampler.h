// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which instances of bursts are executed, and what the others cost. Pure: costs come in from
/// outside (CPU seconds, or instructions: one unit for all), no clock is read here.
///
/// Instances are told apart by
///   burst × bucket of work (unknown, or ⌊log2 work⌋) × warmth,
/// where warmth is First for a rank's first instance in the bucket (it pays for page faults), Cold
/// for the further iterations of the pass that this one began (iteration bursts only: they may
/// touch new memory each), Warm from the next pass on. A pass is a run of instances of one burst
/// between which the rank neither met another burst nor called the runtime. Each kind has an
/// Estimator over all ranks and, where ranks are sampled by themselves, one a rank.
///
/// An instance with work w is skipped, at the cost rate × w, when its burst is *open* (below) and
/// its kind's estimator has enough samples (SamplePolicy). Under `auto`, a few ranks spread over
/// all of them (witnesses) must have executed a sample of their own before they skip; where the
/// ranks' rates differ by more than twice the relative error asked for, the burst is sampled per
/// rank from then on. A kind without enough samples borrows from the next smaller or larger bucket
/// when the rates agree within the same bound.
///
/// What is executed among skipped neighbours finds the caches as the program never does. So a rank
/// that has something to learn *watches*: it executes everything for a while (Watch). Where costs
/// are instructions nothing of that matters, and nobody watches.
///
/// A burst is open when it may be skipped at all, every rank has entered its phase, and, for one
/// that weakens others, the frail bursts have enough samples (they can have no more once an
/// instance has been skipped) and nobody watches.
#pragma once

#include "gnomon/Burst.h"
#include "process/burst/Calibration.h"
#include "process/burst/Estimator.h"
#include "process/burst/Variation.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gnomon::process::burst {

enum class Warmth : uint8_t { First, Cold, Warm };
inline constexpr size_t Warmths = 3;
/// Bucket 0: work unknown; b: work of b bits.
inline constexpr size_t Buckets = 65;

/// One number for each Warmth.
template <class T> using PerWarmth = std::array<T, Warmths>;

inline constexpr uint32_t NoSlot = ~uint32_t{0};

/// What a rank knows of its instances of one burst and bucket.
struct RankSlot {
  uint32_t pass = 0;     ///< the rank's pass of the latest instance
  uint8_t stage = 0;     ///< 0: none yet; 1: in the first pass; 2: behind it
  uint8_t sampled = 0;   ///< bit per Warmth: the rank has a sample of its own
  uint8_t untaken = 0;   ///< samples in a row that would have stood too near to skipped instances
  bool executed = false; ///< its memory has been touched by an instance that ran
  struct Own {
    PerWarmth<Estimator> samples;
    PerWarmth<double> rate{-1, -1, -1}; ///< below 0: not enough samples
  };
  std::unique_ptr<Own> own; ///< where the rank is sampled by itself
  uint32_t term = 0;        ///< 1 + its place among the terms of the rank's stretch
};

/// A rank that watches executes everything that may still be executed. It begins with a kind that
/// nobody knows well enough, a witness with its first instance. All end together, when the last
/// third of the warm instances that they executed had nothing more to teach: by then they have
/// seen a time step again.
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
  bool warm = true;   ///< nothing was met for the first time
  uint32_t measured = 0;
  uint64_t executed = 0, skipped = 0;
  double predicted = 0;               ///< cost of what was executed, by its samples
  double charged = 0;                 ///< of what was skipped, but for what the user gave
  std::vector<Variation::Term> terms; ///< by slot, of a rank that watches
};

/// A rank as the sampler sees it.
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

  Watch watch;
  Stretch stretch;

  // The instance that runs (set by begin and decide, used by executed).
  uint32_t slot = NoSlot;
  Warmth warmth = Warmth::First;
  uint64_t work = 0;
};

/// Over all ranks: a burst in one bucket.
struct Slot {
  uint32_t burst = 0;
  uint8_t bucket = 0;
  PerWarmth<Estimator> samples;
  PerWarmth<double> rate{-1, -1, -1};        ///< below 0: not enough samples
  PerWarmth<double> skippedSeconds{0, 0, 0}; ///< simulated, that rest on this estimate
  PerWarmth<double> factor{1, 1, 1};         ///< of the rate: what samples miss (Calibration)
  uint32_t stretches = 0, equations = 0;     ///< of ranks that watched; those that were of use
  PerWarmth<double> knownError{-1, -1, -1};  ///< relative, of a rate from an earlier run
};

/// A burst in the runtime's table.
struct Entry {
  gnomon_burst *record = nullptr;
  bool open = false;
  bool plain = false;      ///< never skipped: it needs no samples
  bool local = false;      ///< sampled per rank
  bool mayGoLocal = false; ///< so far over all ranks; the ranks' samples decide
  bool witnesses = false;  ///< a witness executes a sample of its own before it skips
  bool weakens = false;
  bool weakened = false;  ///< an instance was skipped: the frail ones that rest on it are frozen
  bool light = false;     ///< first instances are like warm ones
  bool impatient = false; ///< waits no longer for frail bursts' samples
  uint64_t workMask = ~uint64_t{0}; ///< 0: an instance costs what the user said, whatever its work
  double fixedRate = -1;            ///< the user's cost of an instance; below 0: none
  double varies = 1;                ///< 0: with such a cost
  bool asUserSays = false;          ///< the user gave a cost or a number of samples
  SamplePolicy policy;              ///< with what the record overrides
  uint64_t executed = 0, skipped = 0;
  uint64_t passes = 0;       ///< on all ranks
  double skippedSeconds = 0; ///< simulated
  double skippedCost = 0;
  /// Of executed instances: their work (1 where unknown), and the part that was measured.
  double executedWork = 0, measuredWork = 0, measuredCost = 0;
  double executedSeconds = 0; ///< simulated; of the measured ones
  uint64_t measured = 0, disturbed = 0;
  uint64_t nextMeasured = 0; ///< executed instances before one that needs no sample is measured
  std::array<uint32_t, Buckets> slots{}; ///< 1 + number of the Slot; 0: none
};

struct Decision {
  enum class Action : uint8_t {
    Decide,  ///< not known so quickly: call decide()
    Run,     ///< execute it, unmeasured
    Measure, ///< execute it and call executed()
    Skip,    ///< at `cost`
  };
  Action action = Action::Decide;
  double cost = 0;
};

class Sampler {
public:
  /// \p flopsPerCost: what a unit of cost is worth in flop, for the user's costs.
  Sampler(SamplePolicy policy, uint32_t ranks, double flopsPerCost);

  /// A burst that the program has, met or not.
  void declare(gnomon_burst &record);
  /// Nothing takes simulated time: whatever may be skipped is skipped at no cost.
  void costNothing() { free_ = true; }
  /// Costs are seconds of this machine, so that measuring and caches matter: ranks watch.
  void watchCaches() { calibrates_ = policy_.skips() && !policy_.exact; }
  bool calibrates() const { return calibrates_; }
  bool watches(const RankBursts &rank) const { return rank.watch.number == watch_; }
  /// Some rank does.
  bool watching() const { return watching_; }
  /// Rates are wanted of every burst, skipped or not.
  void measureMore() { alwaysMeasured_ = 1000; }
  /// The last phase that every rank has entered or ended before.
  uint32_t reachedPhase() const { return reached_; }
  bool skips() const { return policy_.skips(); }
  /// A cost known from an earlier run: cost per unit of work, per Warmth (negative: not known). The
  /// burst then needs no samples. Bucket AnyBucket: for buckets without rates of their own.
  static constexpr uint8_t AnyBucket = 255;
  /// \p errors: the rates' relative standard errors.
  void know(gnomon_burst &record, uint8_t bucket, const PerWarmth<double> &rates,
            const PerWarmth<double> &errors = {});

  /// \p entries: how often the rank has entered the runtime. The quick half: it skips, or says
  /// Decide.
  Decision begin(RankBursts &rank, gnomon_burst &record, uint64_t work, uint32_t entries) {
    const uint32_t index = record.index;
    rank.work = work;
    rank.slot = NoSlot;
    if (index - 1 >= entries_.size() || entries_[index - 1].record != &record) [[unlikely]]
      return {};
    Entry &entry = entries_[index - 1];
    work &= entry.workMask;
    const uint32_t number = entry.slots[bucketOf(work)];
    if (number == 0 || number > rank.slots.size()) [[unlikely]]
      return {};
    RankSlot &mine = rank.slots[number - 1];
    const auto warmth = static_cast<size_t>(enter(rank, index, mine, entry, entries));
    if (watches(rank))
      return watch(rank, entry, number - 1, static_cast<Warmth>(warmth));
    if (entry.executed + 1 < entry.nextMeasured && entry.plain)
      return run(rank, entry, number - 1, static_cast<Warmth>(warmth));
    const double rate = rateFor(entry, slots_[number - 1], mine, warmth);
    if (!entry.open || rate < 0 || owesSample(rank, entry, mine, warmth)) [[unlikely]] {
      rank.slot = number - 1;
      rank.warmth = static_cast<Warmth>(warmth);
      return {};
    }
    return skip(rank, entry, number - 1, warmth, work, rate);
  }

  /// What begin left open, with the same \p record and \p entries.
  Decision decide(RankBursts &rank, gnomon_burst &record, uint32_t entries);

  /// The instance begun last on \p rank has cost \p cost. \p light: hardly any of it went into
  /// making pages; a first one that is light is like all others, and the burst's kinds are one.
  void executed(RankBursts &rank, double cost, bool disturbed, bool light = false);

  /// The rank has entered the runtime, or \p seconds have passed since it left it or since this was
  /// called last. Returns what is to be added to the cost charged in between: its variation.
  double stretchEnded(RankBursts &rank, double seconds);

  /// The rank has come to \p phase.
  void enterPhase(RankBursts &rank, uint32_t phase);
  void rankEnded(RankBursts &rank);
  /// There are so many ranks now. Those that come late pass all phases again.
  void setRanks(uint32_t ranks);
  /// Some instance has been skipped on some rank.
  bool anySkipped() const { return anySkipped_; }

  const std::vector<Entry> &entries() const { return entries_; }
  const std::vector<Slot> &slots() const { return slots_; }
  /// Instances of frail bursts that were charged at another burst's rate.
  uint64_t guessed() const { return guessed_; }
  double guessedSeconds() const { return guessedSeconds_; }
  /// Mean cost per unit of work of all measured instances whose work was known; 0 without any.
  double meanRate() const { return knownWork_ > 0 ? knownCost_ / knownWork_ : 0; }

  static size_t bucketOf(uint64_t work) {
    return work ? 64 - static_cast<size_t>(__builtin_clzll(work)) : 0;
  }
  /// Up to eight ranks, spread evenly.
  static bool isWitness(uint32_t rank, uint32_t ranks);

private:
  /// Sums of these are rarely equal by chance.
  static uint64_t shapeOf(uint32_t slot) {
    const uint64_t number = (slot + 1) * 0x9E3779B97F4A7C15;
    return number ^ number >> 29;
  }
  static double unitsOf(uint64_t work) { return work ? static_cast<double>(work) : 1; }

  static Warmth enter(RankBursts &rank, uint32_t index, RankSlot &mine, Entry &entry,
                      uint32_t entries) {
    if (rank.latest != index || rank.latestEntries != entries) {
      if (rank.latestEntries != entries || rank.latest == 0)
        rank.stretch.first = index;
      rank.latest = index;
      rank.latestEntries = entries;
      ++rank.pass;
      ++entry.passes;
      rank.inPass = 0;
    }
    ++rank.inPass;
    if (mine.stage == 2) [[likely]]
      return Warmth::Warm;
    return enterFirstPass(rank, mine, entry);
  }
  static Warmth enterFirstPass(const RankBursts &rank, RankSlot &mine, const Entry &entry);

  static bool owesSample(const RankBursts &rank, const Entry &entry, const RankSlot &mine,
                         size_t warmth) {
    return rank.witness && entry.witnesses && !(mine.sampled >> warmth & 1);
  }

  static double rateFor(const Entry &entry, const Slot &slot, const RankSlot &mine, size_t warmth) {
    if (!entry.local) [[likely]]
      return slot.rate[warmth];
    return mine.own ? mine.own->rate[warmth] : -1;
  }

  /// Executed and not measured.
  static Decision run(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth) {
    RankSlot &mine = rank.slots[slot];
    ++entry.executed;
    entry.executedWork += unitsOf(rank.work & entry.workMask);
    rank.slot = slot;
    rank.warmth = mine.executed ? warmth : Warmth::First;
    mine.executed = true;
    ++rank.stretch.executed;
    rank.stretch.shape += shapeOf(slot);
    return {Decision::Action::Run, 0};
  }

  Decision skip(RankBursts &rank, Entry &entry, uint32_t slot, size_t warmth, uint64_t work,
                double rate) {
    const double cost = rate * slots_[slot].factor[warmth] * unitsOf(work);
    ++rank.stretch.skipped;
    rank.stretch.shape += shapeOf(slot);
    rank.stretch.charged += entry.varies * cost;
    rank.watch.sinceSkip = 0;
    const double seconds = cost * rank.secondsPerCost;
    ++entry.skipped;
    entry.skippedSeconds += seconds;
    entry.skippedCost += cost;
    slots_[slot].skippedSeconds[warmth] += seconds;
    anySkipped_ = true;
    if (entry.weakens && !entry.weakened) [[unlikely]]
      weaken(entry);
    return {Decision::Action::Skip, cost};
  }

  // Watching (Watch.cpp).
  Decision watch(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth);
  void considerWatch(RankBursts &rank, const Entry &entry, double rate);
  void endWatch();
  bool standsTooNear(RankBursts &rank, const Entry &entry);
  bool wantsSamples(const Entry &entry, uint32_t slot, const RankSlot &mine, size_t warmth) const;
  bool isCalibrated(uint32_t slot, size_t warmth) const;
  bool isLearnt(const RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth) const;
  void noteExecuted(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                    double cost);
  void calibrate(uint32_t slot);
  void weighVariation();
  void addEquation(RankBursts &rank, double seconds);
  void addRest(const Stretch &stretch, double seconds);
  static void renewStretch(RankBursts &rank);
  /// Finds or makes the instance's slot.
  void place(RankBursts &rank, Entry &entry, uint32_t entries);
  Decision skipBlindly(RankBursts &rank, Entry &entry);
  bool wantsMeasure(const RankBursts &rank, Entry &entry, const RankSlot &mine, size_t warmth,
                    double rate) const;
  Entry &entryOf(gnomon_burst &record);
  uint32_t slotOf(Entry &entry, size_t bucket);
  void updateOpen(Entry &entry);
  void updateAllOpen();
  void weaken(Entry &entry);
  /// Whether a frail burst can be executed no more.
  bool isFrozen(const Entry &entry) const;
  bool frailAreKnown(const Entry &weakening) const;
  bool isKnown(const gnomon_burst &frail, bool needed) const;
  bool sufficesFrail(const Entry &frail) const;
  RankSlot::Own &ownOf(RankBursts &rank, uint32_t slot);
  /// What the samples (of \p rank alone when the burst is sampled so) and those of the neighbouring
  /// buckets give; below 0: not enough.
  double evaluate(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth);
  double borrow(RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                const Estimator &samples);
  const Estimator *neighbour(RankBursts &rank, const Entry &entry, size_t bucket, size_t warmth);
  double blindRate(const Entry &entry, const Slot &slot, uint64_t work) const;
  void notePassed(uint32_t after, uint32_t phase);

  SamplePolicy policy_;
  uint32_t ranks_;
  double flopsPerCost_;
  bool free_ = false;
  bool calibrates_ = false;
  uint32_t watch_ = 1;       ///< number of the present watch, or of the next
  bool watching_ = false;    ///< some rank takes part in it
  double watchedBefore_ = 0; ///< cost of warm instances in the ones before
  double watchedCost_ = 0;   ///< and in it
  double quietCost_ = 0;     ///< of them, behind the last instance that taught something
  Calibration calibration_;
  Variation variation_;
  /// Every burst is measured so often even where no sample is needed: for the table.
  uint64_t alwaysMeasured_ = 10;
  bool anySkipped_ = false;
  /// Frail bursts, one of whose weakening ones has been skipped.
  std::unordered_set<const gnomon_burst *> frozen_;
  bool allFrozen_ = false; ///< an instance of a burst that weakens others has been skipped
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;
  struct Known {
    uint8_t bucket;
    PerWarmth<double> rates, errors;
  };
  std::unordered_map<const gnomon_burst *, std::vector<Known>> known_;
  double knownWork_ = 0, knownCost_ = 0; ///< of measured instances whose work is known
  uint32_t reached_ = 0;                 ///< the phase that every rank has entered
  uint32_t ended_ = 0;
  std::vector<uint32_t> passed_; ///< [k - 1]: ranks that have entered phase k or ended
  uint64_t guessed_ = 0;
  double guessedSeconds_ = 0;
};

} // namespace gnomon::process::burst
