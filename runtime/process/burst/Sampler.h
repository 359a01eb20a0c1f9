// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which instances of bursts are executed, and what the others cost. Pure: costs come in from
/// outside (CPU seconds, or instructions: one unit for all), no clock is read here.
///
/// An instance with work w is skipped, at the cost rate × w, when its burst is open (Openings: who
/// may be skipped), the rate of its kind is known (Rates: what samples say), and its rank owes
/// nothing (Watches: who must learn). Under `auto`, a few ranks spread over all of them (witnesses)
/// must have executed a sample of their own before they skip; where the ranks' rates differ by more
/// than twice the relative error asked for, the burst is sampled per rank from then on.
#pragma once

#include "process/burst/Openings.h"
#include "process/burst/Rates.h"
#include "process/burst/Tuning.h"
#include "process/burst/Watches.h"

#include <cstdint>
#include <vector>

namespace gnomon::process::burst {

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
  Sampler(SamplePolicy policy, uint32_t ranks, double flopsPerCost)
      : policy_(policy), ranks_(ranks), flopsPerCost_(flopsPerCost),
        openings_(policy.skips(), ranks) {}

  /// A burst that the program has, met or not.
  void declare(gnomon_burst &record) { entryOf(record); }
  /// An earlier run has met no instance of it: nobody waits for its samples before one comes.
  void expectNone(gnomon_burst &record) { entryOf(record).expected = false; }
  /// Nothing takes simulated time: whatever may be skipped is skipped at no cost.
  void costNothing() { rates_.costNothing(); }
  /// Costs are seconds of this machine, so that measuring and caches matter: ranks watch.
  void watchCaches() { watches_.enable(policy_.learns() && !policy_.exact, policy_.learnsOnly); }
  /// Some burst is executed to learn what it costs, in this run or for later ones.
  bool learns() const { return policy_.learns(); }
  bool calibrates() const { return watches_.enabled(); }
  bool watches(const RankBursts &rank) const { return watches_.watches(rank); }
  /// Some rank does.
  bool watching() const { return watches_.any(); }
  /// Rates are wanted of every burst, skipped or not.
  void measureMore() { alwaysMeasured_ = AlwaysMeasuredForRates; }
  /// The last phase that every rank has entered or ended before.
  uint32_t reachedPhase() const { return openings_.reachedPhase(); }
  bool skips() const { return policy_.skips(); }
  /// How stretches of an earlier run varied that met \p record first (Variation).
  void giveChances(const gnomon_burst &record, const std::vector<double> &chances) {
    watches_.variation().giveChances(record.index, chances);
  }
  std::vector<double> chancesOf(const gnomon_burst &record) const {
    return watches_.variation().chancesOf(record.index);
  }
  /// What an earlier run met is all that this one will meet: nobody waits for what is not known.
  void knowAll() { rates_.knowAll(); }
  /// Rates known from an earlier run. The burst then needs no samples. Bucket AnyBucket: for
  /// buckets without rates of their own. \p errors: the rates' relative standard errors.
  void know(gnomon_burst &record, uint8_t bucket, const PerWarmth<Rate> &rates,
            const PerWarmth<double> &errors = {}) {
    rates_.know(record, bucket, rates, errors);
  }

  /// Whether an instance is skipped about which there is nothing to think: its burst is open and met before on the rank,
  /// its rate known, and the rank owes nothing. Then it has been, at \p cost; else nothing has happened.
  [[gnu::always_inline]] bool skipAtOnce(RankBursts &rank, const gnomon_burst &record,
                                         uint64_t work, uint32_t entries, double &cost) {
    if (!rates_.has(record)) [[unlikely]]
      return false;
    Entry &entry = rates_.entries()[record.index - 1];
    const bool mayBeFirst = entry.weakens && !entry.weakened;
    if (!entry.open || entry.plain || entry.local || mayBeFirst || watches_.watches(rank))
        [[unlikely]]
      return false;
    work &= entry.workMask;
    const uint32_t number = entry.slots[bucketOf(work)];
    if (number == 0 || !rank.isBehindFirst(number - 1)) [[unlikely]]
      return false;
    constexpr auto Warm = static_cast<size_t>(Warmth::Warm);
    const Rate rate = rates_.slots()[number - 1].rate[Warm];
    if (!rate || (rank.witness && Watches::owesSample(rank, entry, rank.slots[number - 1], Warm)))
        [[unlikely]]
      return false;
    passTo(rank, record.index, entry, entries);
    cost = charge(rank, entry, rates_.slots()[number - 1], Warm, work, *rate);
    return true;
  }

  /// \p entries: how often the rank has entered the runtime. The quick half: it skips, or says
  /// Decide.
  Decision begin(RankBursts &rank, gnomon_burst &record, uint64_t work, uint32_t entries) {
    Decision decision{Decision::Action::Skip, 0};
    if (skipAtOnce(rank, record, work, entries, decision.cost)) [[likely]]
      return decision;
    return beginOther(rank, record, work, entries);
  }

  /// What is not skipped at once.
  Decision beginOther(RankBursts &rank, gnomon_burst &record, uint64_t work, uint32_t entries) {
    const uint32_t index = record.index;
    rank.work = work;
    rank.slot = NoSlot;
    if (!rates_.has(record)) [[unlikely]]
      return {};
    Entry &entry = rates_.entries()[index - 1];
    work &= entry.workMask;
    const uint32_t number = entry.slots[bucketOf(work)];
    if (number == 0 || number > rank.slots.size()) [[unlikely]]
      return {};
    RankSlot &mine = rank.slots[number - 1];
    const auto warmth = static_cast<size_t>(enter(rank, index, mine, entry, entries));
    if (watches_.watches(rank))
      return watch(rank, entry, number - 1, static_cast<Warmth>(warmth));
    if (entry.executed + 1 < entry.nextMeasured && entry.plain)
      return run(rank, entry, number - 1, static_cast<Warmth>(warmth));
    const Rate rate = Rates::of(entry, rates_.slots()[number - 1], mine, warmth);
    if (!entry.open || !rate || Watches::owesSample(rank, entry, mine, warmth)) [[unlikely]] {
      rank.slot = number - 1;
      rank.warmth = static_cast<Warmth>(warmth);
      return {};
    }
    return skip(rank, entry, number - 1, warmth, work, *rate);
  }

  /// In place of begin, of an instance that is executed because nobody knows what it executes: it teaches no cost.
  /// One that may not be executed any more (Openings) is skipped all the same. \p work: a guess.
  Decision beginUnknown(RankBursts &rank, gnomon_burst &record, uint64_t work, uint32_t entries);

  /// What begin left open, with the same \p record and \p entries.
  Decision decide(RankBursts &rank, gnomon_burst &record, uint32_t entries);

  /// The instance begun last on \p rank has cost \p cost. \p light: hardly any of it went into
  /// making pages; a first one that is light is like all others, and the burst's kinds are one.
  void executed(RankBursts &rank, double cost, bool disturbed, bool light = false,
                bool doubtful = false);
  /// The instance that \p rank is about to end has executed \p units of work, whatever was said at its begin: on data that
  /// are not right it may take other ways. \p measured: executed is called for it.
  void executedUnits(RankBursts &rank, uint64_t units, bool measured);
  /// In place of executed: what the instance cost is not known, because the thread lost its core.
  void discarded(RankBursts &rank);
  /// What the instance begun last on \p rank should cost by the samples of its kind; 0 without any.
  double expectedCost(const RankBursts &rank) const {
    const Slot &slot = rates_.slots()[rank.slot];
    return slot.samples[static_cast<size_t>(rank.warmth)].rate() * unitsOf(rank.work);
  }

  /// The rank has entered the runtime, or \p seconds have passed since it left it or since this was
  /// called last. Returns what is to be added to the cost charged in between: its variation.
  double stretchEnded(RankBursts &rank, double seconds);

  /// The rank has come to \p phase.
  void enterPhase(RankBursts &rank, uint32_t phase) { openings_.enterPhase(rank, phase, rates_); }
  bool isPassedOver(uint32_t phase) const { return openings_.isPassedOver(phase); }
  /// The condition of \p phase holds on the rank.
  void enterPhaseWhere(RankBursts &rank, uint32_t phase) {
    openings_.enterPhaseWhere(rank, phase, rates_);
  }
  void rankEnded(RankBursts &rank) { openings_.rankEnded(rank, rates_); }
  /// There are so many ranks now. Those that come late pass all phases again.
  void setRanks(uint32_t ranks);
  /// Some bursts' flags have changed, before anything was skipped.
  void reconsider();
  /// While held, nothing is skipped but what the user forces.
  void hold(bool held) { openings_.hold(held, rates_); }
  /// See Openings.
  void freezeUnsafe() { openings_.freezeUnsafe(); }
  /// Whether no rate has to be found: nothing takes time, or an earlier run has found them all.
  bool needsNoSamples() const { return rates_.free() || rates_.knowsAll(); }
  bool unsafeAreKnown() const { return openings_.unsafeAreKnown(rates_); }
  /// Some instance has been skipped on some rank.
  bool anySkipped() const { return anySkipped_; }

  /// Seconds of instances that may be skipped, so far, by what samples say of them.
  struct Sums {
    double skipped = 0, executed = 0;
  };
  Sums sums() const;

  const std::vector<Entry> &entries() const { return rates_.entries(); }
  const std::vector<Slot> &slots() const { return rates_.slots(); }
  double executedSeconds(const Slot &slot) const { return rates_.executedSeconds(slot); }
  /// Instances of frail bursts that were charged at another burst's rate.
  uint64_t guessed() const { return guessed_; }
  double guessedSeconds() const { return guessedSeconds_; }
  /// Mean cost per unit of work of all measured instances whose work was known; 0 without any.
  double meanRate() const { return rates_.mean(); }

private:
  /// The rank has met an instance of burst \p index: it goes on with the pass, or begins another.
  static void passTo(RankBursts &rank, uint32_t index, Entry &entry, uint32_t entries) {
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
  }
  static Warmth enter(RankBursts &rank, uint32_t index, RankSlot &mine, Entry &entry,
                      uint32_t entries) {
    passTo(rank, index, entry, entries);
    if (mine.stage == 2) [[likely]]
      return Warmth::Warm;
    return enterFirstPass(rank, mine, entry);
  }
  static Warmth enterFirstPass(RankBursts &rank, RankSlot &mine, const Entry &entry);

  /// Executed and not measured.
  Decision run(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth) {
    RankSlot &mine = rank.slots[slot];
    ++entry.executed;
    rank.slot = slot;
    rank.warmth = mine.executed ? warmth : Warmth::First;
    mine.executed = true;
    rates_.slots()[slot].executedWork[static_cast<size_t>(rank.warmth)] +=
        unitsOf(rank.work & entry.workMask) * rank.secondsPerCost;
    ++rank.stretch.executed;
    rank.stretch.shape += rates_.slots()[slot].shape;
    return {Decision::Action::Run, 0};
  }

  Decision skip(RankBursts &rank, Entry &entry, uint32_t slot, size_t warmth, uint64_t work,
                double rate) {
    const double cost = charge(rank, entry, rates_.slots()[slot], warmth, work, rate);
    if (entry.weakens && !entry.weakened) [[unlikely]]
      openings_.weaken(entry);
    return {Decision::Action::Skip, cost};
  }
  /// An instance of \p place is skipped: what it costs.
  [[gnu::always_inline]] double charge(RankBursts &rank, Entry &entry, Slot &place, size_t warmth,
                                       uint64_t work, double rate) {
    const double cost = rate * place.factor[warmth] * unitsOf(work);
    ++rank.stretch.skipped;
    rank.stretch.shape += place.shape;
    rank.stretch.charged += entry.varies * cost;
    rank.watch.sinceSkip = 0;
    const double seconds = cost * rank.secondsPerCost;
    ++entry.skipped;
    entry.skippedSeconds += seconds;
    entry.skippedCost += cost;
    place.skippedSeconds[warmth] += seconds;
    anySkipped_ = true;
    return cost;
  }

  Decision watch(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth);
  bool wantsMoments(const RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                    Rate rate) const;
  Decision execute(RankBursts &rank, Entry &entry, bool needed, bool sampled);
  Decision skipBlindly(RankBursts &rank, Entry &entry);
  /// Finds or makes the instance's slot.
  void place(RankBursts &rank, Entry &entry, uint32_t entries);
  bool wantsMeasure(Entry &entry, bool sampled) const;
  Entry &entryOf(gnomon_burst &record);
  Entry newEntry(gnomon_burst &record) const;
  bool isPlain(const Entry &entry) const;

  SamplePolicy policy_;
  uint32_t ranks_;
  double flopsPerCost_;
  Rates rates_;
  Openings openings_;
  Watches watches_;
  uint64_t alwaysMeasured_ = AlwaysMeasured;
  bool anySkipped_ = false;
  uint64_t guessed_ = 0;
  double guessedSeconds_ = 0;
};

} // namespace gnomon::process::burst
