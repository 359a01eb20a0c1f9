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
#include <optional>
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

  /// A burst that the program has, met or not. \p name: of its place there; 0: its number has to do. \p sized: the sizes of
  /// its work are known in the same way as when stretches were recorded.
  void declare(gnomon_burst &record, uint64_t name = 0, bool sized = true) {
    Entry &entry = entryOf(record);
    entry.sized = sized;
    if (name != 0)
      entry.name = name;
  }
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
  /// Ranks (Rates), and shapes of stretches (Variation), that differ by less than \p far are charged alike.
  void evenOut(double far) {
    rates_.evenOut(far);
    watches_.variation().evenOut(far);
  }
  /// What earlier runs charged, which these bursts' own samples stand beside (Rates).
  void expect(std::vector<EarlierRate> earlier) { rates_.expect(std::move(earlier)); }
  std::vector<EarlierRate> foundRates() const {
    return policy_.learns() ? rates_.found() : std::vector<EarlierRate>();
  }
  /// What an earlier run met is all that this one will meet: nobody waits for what is not known.
  void knowAll() { rates_.knowAll(); }
  /// Rates known from an earlier run. The burst then needs no samples. Bucket AnyBucket: for
  /// buckets without rates of their own. \p errors: the rates' relative standard errors.
  void know(gnomon_burst &record, uint8_t bucket, const PerWarmth<Rate> &rates,
            const PerWarmth<double> &errors = {}) {
    rates_.know(record, bucket, rates, errors);
  }

  /// An instance about whose skipping there is nothing to think: its burst is open, its rate known, and the rank owes
  /// nothing.
  struct AtOnce {
    Entry *entry = nullptr; ///< of its burst; null: there is more to think of
    uint32_t slot = NoSlot;
    bool behindFirst = true; ///< the rank's first pass; if not, the rate is still to be asked for
  };
  /// Whether the instance that the rank begins is one; nothing has happened.
  [[gnu::always_inline]] AtOnce findAtOnce(const RankBursts &rank, const gnomon_burst &record,
                                           uint64_t work) {
    if (!rates_.has(record)) [[unlikely]]
      return {};
    Entry &entry = rates_.entries()[record.index - 1];
    if (!entry.isOpenToAll() || watches_.watches(rank)) [[unlikely]]
      return {};
    const uint32_t number = entry.slots[bucketOf(work & entry.workMask)];
    if (number == 0) [[unlikely]]
      return {};
    if (!rank.isBehindFirst(number - 1)) [[unlikely]]
      return {number > rank.slots.size() ? nullptr : &entry, number - 1, false};
    if (!needsNothing(rank, entry, number - 1, Warmth::Warm)) [[unlikely]]
      return {};
    return {&entry, number - 1, true};
  }
  /// It is skipped, and costs what is given back.
  [[gnu::always_inline]] double skipAtOnce(RankBursts &rank, Entry &entry, uint32_t slot,
                                           uint64_t work, uint32_t entries) {
    passTo(rank, entry.record->index, entry, entries);
    return chargeAt(rank, entry, slot, Warmth::Warm, work);
  }
  /// The same of an instance that is not behind the first pass, if its rate is known; else nothing has happened.
  [[gnu::always_inline]] std::optional<double>
  skipInFirstPass(RankBursts &rank, Entry &entry, uint32_t slot, uint64_t work, uint32_t entries) {
    const Warmth warmth = comingWarmth(rank, entry, slot, entries);
    if (!needsNothing(rank, entry, slot, warmth))
      return std::nullopt;
    passTo(rank, entry.record->index, entry, entries);
    noteWarmth(rank, rank.slots[slot], warmth);
    return chargeAt(rank, entry, slot, warmth, work);
  }

  /// \p entries: how often the rank has entered the runtime. The quick half: it skips, or says
  /// Decide.
  Decision begin(RankBursts &rank, gnomon_burst &record, uint64_t work, uint32_t entries) {
    const AtOnce found = findAtOnce(rank, record, work);
    std::optional<double> cost;
    if (found.entry && found.behindFirst)
      cost = skipAtOnce(rank, *found.entry, found.slot, work, entries);
    else if (found.entry)
      cost = skipInFirstPass(rank, *found.entry, found.slot, work, entries);
    return cost ? Decision{Decision::Action::Skip, *cost} : beginOther(rank, record, work, entries);
  }

  /// How many instances like the one that \p rank has begun last run with nothing to be decided, if they come one after
  /// another; 0 where that one was measured, or is told in another way.
  uint32_t mayComeAgain(const RankBursts &rank) const;
  /// So many of them have begun (Repeats.h). Returns how many more may.
  uint32_t cameAgain(RankBursts &rank, Repeat &again);
  /// Those that have begun before the rank's stretch are counted.
  void count(const RankBursts &rank, Repeat &again);
  /// Whether the stretch that ends needs not be looked at, if those like it are `taught`.
  bool passesOver() { return watches_.passesOver(); }
  /// How much those like the latest stretch that was looked at have taught.
  Watches::Taught taught() const { return watches_.taught(); }
  /// cameAgain will be told of \p again: what it writes to is fetched.
  void expectAgain(const RankBursts &rank, const Repeat &again) const {
    const Slot &slot = rates_.slots()[again.slot];
    __builtin_prefetch(&rank.slots[again.slot], 1);
    __builtin_prefetch(&slot.shape, 1);
    __builtin_prefetch(&slot.executedWork, 1);
    __builtin_prefetch(&rates_.entries()[again.burst].executed, 1);
  }

  /// What is not skipped at once.
  Decision beginOther(RankBursts &rank, gnomon_burst &record, uint64_t work, uint32_t entries) {
    rank.work = work;
    rank.slot = NoSlot;
    if (!rates_.has(record)) [[unlikely]]
      return {};
    Entry &entry = rates_.entries()[record.index - 1];
    work &= entry.workMask;
    const uint32_t number = entry.slots[bucketOf(work)];
    if (number == 0 || number > rank.slots.size()) [[unlikely]]
      return {};
    RankSlot &mine = rank.slots[number - 1];
    const auto warmth = static_cast<size_t>(enter(rank, number - 1, entry, entries));
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
  /// making pages; a first one that is light is like all others of its size, and their kinds are one.
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

  /// The rank has met an instance of burst \p index, that of \p counted's passes.
  template <class Counted>
  static void passTo(RankBursts &rank, uint32_t index, Counted &counted, uint32_t entries) {
    if (beginsPass(rank, index, entries)) {
      if (rank.latestEntries != entries || rank.latest == 0)
        rank.stretch.first = index;
      rank.latest = index;
      rank.latestEntries = entries;
      ++rank.pass;
      ++counted.passes;
      rank.inPass = 0;
    }
    ++rank.inPass;
  }

private:
  /// Whether an instance of burst \p index begins a pass, rather than to go on with the rank's present one.
  static bool beginsPass(const RankBursts &rank, uint32_t index, uint32_t entries) {
    return rank.latest != index || rank.latestEntries != entries;
  }
  /// Executed instances before one of that burst is measured for the table, less 1.
  static uint64_t unmeasured(const Entry &entry) {
    return entry.nextMeasured > entry.executed + 1 ? entry.nextMeasured - entry.executed - 1 : 0;
  }
  /// Of the instance in \p slot that the rank is about to begin.
  Warmth comingWarmth(const RankBursts &rank, const Entry &entry, uint32_t slot,
                      uint32_t entries) const {
    const RankSlot &mine = rank.slots[slot];
    if (mine.stage == 2 || rates_.slots()[slot].light)
      return Warmth::Warm;
    if (mine.stage == 0)
      return Warmth::First;
    const bool goesOn = !beginsPass(rank, entry.record->index, entries) && mine.pass == rank.pass;
    const bool touchesMore = entry.record->flags & GNOMON_BURST_ITERATION;
    return goesOn && touchesMore ? Warmth::Cold : Warmth::Warm;
  }
  /// The rank has come to an instance of that warmth, and to its pass.
  static void noteWarmth(RankBursts &rank, RankSlot &mine, Warmth warmth) {
    if (warmth == Warmth::Warm) {
      rank.leaveFirst(mine);
    } else if (warmth == Warmth::First) {
      mine.stage = 1;
      mine.pass = rank.pass;
    }
  }
  Warmth enter(RankBursts &rank, uint32_t slot, Entry &entry, uint32_t entries) const {
    const Warmth warmth = comingWarmth(rank, entry, slot, entries);
    passTo(rank, entry.record->index, entry, entries);
    if (RankSlot &mine = rank.slots[slot]; mine.stage != 2) [[unlikely]]
      noteWarmth(rank, mine, warmth);
    return warmth;
  }

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
    rank.stretch.meet(rates_.slots()[slot].shape, rates_.slots()[slot].kind);
    return {Decision::Action::Run, 0};
  }

  Decision skip(RankBursts &rank, Entry &entry, uint32_t slot, size_t warmth, uint64_t work,
                double rate) {
    const double cost = charge(rank, entry, rates_.slots()[slot], warmth, work, rate);
    if (entry.toWeaken) [[unlikely]]
      openings_.weaken(entry);
    return {Decision::Action::Skip, cost};
  }
  /// An instance of \p place is skipped: what it costs.
  [[gnu::always_inline]] double charge(RankBursts &rank, Entry &entry, Slot &place, size_t warmth,
                                       uint64_t work, double rate) {
    const double cost = rate * place.factor[warmth] * unitsOf(work);
    ++rank.stretch.skipped;
    rank.stretch.meet(place.shape, place.kind);
    rank.stretch.charged += entry.varies * cost;
    if (warmth != static_cast<size_t>(Warmth::Warm)) [[unlikely]]
      noteAsWarm(rank, place, work, cost);
    rank.watch.sinceSkip = 0;
    const double seconds = cost * rank.secondsPerCost;
    ++entry.skipped;
    entry.skippedSeconds += seconds;
    entry.skippedCost += cost;
    place.skippedSeconds[warmth] += seconds;
    anySkipped_ = true;
    return cost;
  }

  [[gnu::always_inline]] double chargeAt(RankBursts &rank, Entry &entry, uint32_t slot,
                                         Warmth warmth, uint64_t work) {
    Slot &place = rates_.slots()[slot];
    const auto kind = static_cast<size_t>(warmth);
    return charge(rank, entry, place, kind, work & entry.workMask, *place.rate[kind]);
  }
  /// Whether the kind's rate over all ranks is known, and the rank owes it no sample.
  bool needsNothing(const RankBursts &rank, const Entry &entry, uint32_t slot,
                    Warmth warmth) const {
    const auto kind = static_cast<size_t>(warmth);
    return rates_.slots()[slot].rate[kind] &&
           !(rank.witness && Watches::owesSample(rank, entry, rank.slots[slot], kind));
  }

  Decision watch(RankBursts &rank, Entry &entry, uint32_t slot, Warmth warmth);
  bool wantsMoments(const RankBursts &rank, const Entry &entry, uint32_t slot, size_t warmth,
                    Rate rate) const;
  Decision execute(RankBursts &rank, Entry &entry, bool needed, bool sampled);
  void noteKnown(RankBursts &rank, const Entry &entry) const;
  static void noteAsWarm(RankBursts &rank, const Slot &place, uint64_t work, double cost);
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
