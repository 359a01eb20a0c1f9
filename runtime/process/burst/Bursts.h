// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The bursts of the running simulation: the Sampler, the clocks that give it costs, and what each
/// rank is in the middle of. The hooks that compiled code calls stand in Hooks.cpp.
#pragma once

#include "gnomon/Module.h"
#include "process/burst/Prevalence.h"
#include "process/burst/Report.h"
#include "process/burst/Sampler.h"
#include "process/burst/Settings.h"
#include "process/burst/Stretches.h"
#include "process/burst/Volumes.h"
#include "process/fold/FoldedMemory.h"
#include "process/image/Modules.h"
#include "process/ranks/CoreSpeed.h"
#include "process/ranks/CountedStretch.h"
#include "process/ranks/CycleClock.h"
#include "process/ranks/VolumeSink.h"
#include "process/ranks/World.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gnomon::process::burst {

/// The instance that a rank is in.
struct OpenInstance {
  enum class Kind : uint8_t {
    Run,
    Cycles, ///< measured by the cycle counter
    Thread, ///< measured by the thread's CPU clock
    Meter,  ///< measured by the meter: instructions
    Kept,   ///< skipped, and what must be kept of it runs
  };
  gnomon_burst *record = nullptr; ///< null: none
  const void *frame = nullptr;    ///< of the hook's call
  uint32_t entries = 0;           ///< of the rank into the runtime
  uint32_t recursion = 0;         ///< begins of the same record inside it
  Kind kind = Kind::Run;
  uint32_t again = 0; ///< place of the one that it is like (Repeats.h); 0: it is looked at
  uint64_t cycles = 0;
  double reading = 0;  ///< of the thread's clock or the meter
  double slowness = 1; ///< of the core at its begin
  double sharing = 1;  ///< the part of it that is others' use of the core
  double cost = 0;     ///< of a skipped instance
  double computed =
      0; ///< simulated seconds of the rank at its begin; of a burst that the user forced
  uint64_t instructions = 0; ///< counted so far, at its begin
  uint64_t faults = 0;
  double ahead = 0; ///< seconds left out for pages made ahead, so far
  long switches = 0;
};

/// Instances of one burst have executed so many instructions each; 0: nobody knows.
struct NotedVolume {
  uint64_t work = 0, instructions = 0;
  uint32_t times = 1;
  uint32_t burst = 0; ///< index
};

/// A rank's part.
struct RankState : RankBursts {
  OpenInstance open;
  double partSeconds = 0; ///< of the present computation, that parts of it have been told to take
  WholeStretch whole;     ///< of that computation, where it is looked up or recorded
  /// One behind the other, to be sorted out when they are many: the lists of bursts would be lines of the cache that the
  /// program has driven out each time.
  std::vector<NotedVolume> volumes;
};

/// Instructions of executed instances, for profiles.
struct Counted {
  uint64_t instances = 0;
  double instructions = 0; ///< of all executed instances
  double measuredInstructions = 0, measuredCost = 0, measuredWork = 0;
};

class Bursts : public Skipping {
public:
  Bursts(World &world, const process::Settings &ranks, Settings settings);
  ~Bursts() override;

  /// The work of the next instance as begin would know it, where nothing has to be found out for that. \p formulaWork():
  /// by its formula, if that is known.
  template <class FormulaWork>
  [[gnu::always_inline]] std::optional<SteadyWork>
  steadyWork(const BurstClock &clock, const gnomon_burst &record, const FormulaWork &formulaWork) {
    if (record.flags & GNOMON_BURST_VOLUMES) {
      const std::optional<SteadyWork> given = givenVolumes_->steady(clock.bursts()->number, record);
      if (!given || given->units != GivenVolumes::ByFormula) [[likely]]
        return given;
    }
    if (!asksForWork_)
      return SteadyWork{};
    const std::optional<uint64_t> work = formulaWork();
    return work ? std::optional(SteadyWork{*work}) : std::nullopt;
  }
  /// Whether the instance that begins is skipped with nothing else to be thought of or told. Nothing has happened:
  /// without an entry begin is to be called, else skipAtOnce or skipInFirstPass.
  [[gnu::always_inline]] Sampler::AtOnce findAtOnce(const BurstClock &clock,
                                                    const gnomon_burst &record, uint64_t work) {
    const RankState &rank = *clock.bursts();
    if (rank.open.record || volumeSink || knowsMemory_ | foldsNext_ ||
        rank.stretch.predicted > LongStretchSeconds) [[unlikely]]
      return {};
    return sampler_.findAtOnce(rank, record, work);
  }
  /// That instance is skipped, at the cost that is given back. Where a part of it is kept, keepSlice is to be called
  /// next.
  [[gnu::always_inline]] double skipAtOnce(BurstClock &clock, Entry &entry, uint32_t slot,
                                           SteadyWork work) {
    const double cost =
        sampler_.skipAtOnce(*clock.bursts(), entry, slot, work.units, clock.entries());
    chargeAtOnce(clock, work, cost);
    return cost;
  }
  /// The same of an instance that is not behind the rank's first pass; nothing: begin is to be called.
  [[gnu::always_inline]] std::optional<double> skipInFirstPass(BurstClock &clock, Entry &entry,
                                                               uint32_t slot, SteadyWork work) {
    const std::optional<double> cost =
        sampler_.skipInFirstPass(*clock.bursts(), entry, slot, work.units, clock.entries());
    if (cost)
      chargeAtOnce(clock, work, *cost);
    return cost;
  }
  /// The part of a skipped instance of \p work begins that is kept. It has been charged with the whole, at \p cost:
  /// what runs of it is taken out again.
  void keepSlice(BurstClock &clock, gnomon_burst &record, uint64_t work, const void *frame,
                 double cost);
  /// gnomon_burst_begin on the rank that runs.
  bool begin(BurstClock &clock, gnomon_burst &record, uint64_t work, const void *frame) {
    RankState &rank = *clock.bursts();
    const uint64_t since = timesHooks_ ? readCycles() : 0;
    if (rank.open.record) [[unlikely]]
      if (isInside(clock, record, frame))
        return true;
    if (record.flags & GNOMON_BURST_VOLUMES) [[unlikely]] {
      const GivenVolumes::Volume volume = givenVolumes_->next(rank.number, record, work);
      if (!volume.known)
        return beginUnknown(clock, record, volume.work, frame);
      work = volume.work;
    }
    if (rank.stretch.predicted > LongStretchSeconds) [[unlikely]]
      endPart(clock);
    const Decision decision = sampler_.begin(rank, record, work, clock.entries());
    if (decision.action == Decision::Action::Skip) [[likely]] {
      clock.takeOut(skipSeconds_);
      return skip(clock, record, work, frame, decision.cost);
    }
    if (decision.action == Decision::Action::Run && plainRuns_) {
      runPlainly(clock, rank, record, frame);
      if (volumeSink) [[unlikely]]
        tellBurst(clock, &record);
      if (countsVolumes_) [[unlikely]]
        rank.open.instructions = countedInstructions();
      if (countsRepeats_) [[unlikely]]
        remember(rank, record, work);
      if (timesHooks_) [[unlikely]] {
        takeOutSince(clock, since, leakSeconds_);
      } else {
        const double own = sampler_.watches(rank) ? watchSeconds_ : skipSeconds_;
        clock.takeOut(own);
        hookSeconds_ += own;
      }
      if (cores_.enabled())
        if (const uint64_t cycles = readCycles(); cores_.due(cycles)) [[unlikely]]
          lookAtCore(clock, cycles);
      if (++instances_ % InstancesBetweenChecks == 0) [[unlikely]]
        watchOverhead();
      return true;
    }
    return decide(clock, record, frame, decision);
  }
  /// gnomon_burst_end. Since the begin the counter of instructions has grown by \p ahead more than what ran.
  void end(BurstClock &clock, gnomon_burst &record, int64_t ahead = 0) {
    OpenInstance &open = clock.bursts()->open;
    if (open.record != &record) [[likely]]
      return;
    if (open.recursion > 0) {
      --open.recursion;
      return;
    }
    if (open.entries != clock.entries()) [[unlikely]]
      ahead = 0; // a call of the runtime has charged that
    open.instructions += static_cast<uint64_t>(ahead);
    if (mode_ != ComputeMode::Measured)
      open.reading += static_cast<double>(ahead);
    if (open.kind == OpenInstance::Kind::Kept && !tellsKept()) {
      open.record = nullptr;
      closeKept(clock, open);
    } else if (open.kind == OpenInstance::Kind::Run && plainRuns_) {
      if (countsVolumes_) [[unlikely]]
        notePlain(clock, open);
      open.record = nullptr;
      if (volumeSink) [[unlikely]]
        tellBurst(clock, nullptr, ahead);
    } else
      close(clock, ahead);
  }
  // Of HookWay::Repeats, instead of begin and end (Repeats.h).

  /// gnomon_burst_begin of an instance that repeatHooks cannot begin, on the rank that runs.
  bool beginRepeat(BurstClock &clock, gnomon_burst &record, uint64_t work, const void *frame);
  /// gnomon_burst_end of one that repeatHooks cannot end.
  void endRepeat(BurstClock &clock, gnomon_burst &record, int64_t ahead);
  /// Whether one hook in many of repeatHooks is timed.
  bool timesHooks() const { return timesHooks_; }
  /// A hook of repeatHooks that began at \p since is over: so much others take, too.
  void noteHook(uint64_t since);
  /// A computation of a rank that watches is looked at so often, if it calls nothing of the
  /// runtime.
  static constexpr double LongStretchSeconds = 5e-3;

  // Of HookWay::NamesOnly.

  /// What runs from now on is told to be the burst's. Inside another one it stays that one's.
  [[gnu::always_inline]] bool beginNamed(Rank &rank, gnomon_burst &record, const void *frame) {
    BurstClock &clock = rank.burst;
    clock.goLongWay(rank);
    if (clock.bursts()->open.record || record.index == 0 || &rank != rankInPlace ||
        !clock.leaveLongWay()) [[unlikely]]
      return beginNamedAnew(rank, record, frame);
    countedStretch.begin(record, frame, *onlyCounter);
    return true;
  }
  /// The end of an instance that began so: what was counted is told to the rank's tally.
  [[gnu::always_inline]] void endCounted(gnomon_burst &record, CountedStretch::Untold untold) {
    CountedStretch &stretch = countedStretch;
    if (stretch.recent != &record || !stretch.between || !stretch.inside)
      return tellInstance(record, untold);
    *stretch.between += untold.between;
    *stretch.inside += untold.inside;
  }
  [[gnu::always_inline]] void endNamed(Rank &rank, gnomon_burst &record, int64_t ahead) {
    BurstClock &clock = rank.burst;
    OpenInstance &open = clock.bursts()->open;
    if (open.record != &record)
      return;
    if (open.recursion > 0 || open.kind != OpenInstance::Kind::Run) [[unlikely]]
      return end(clock, record, ahead);
    // A call of the runtime has charged that.
    const int64_t more = open.entries == clock.entries() && ahead > 0 ? ahead : 0;
    open.record = nullptr;
    clock.tellFromNowOn(rank, 0, more);
  }
  /// Whether begin asks how much work an instance has.
  bool asksForWork() const { return asksForWork_; }
  /// gnomon_decide.
  int64_t decide(const Rank &rank, gnomon_point &point, int64_t value);
  /// gnomon_decide_each: where the numbers lie that count, until the rank comes to the point again.
  const void *decideEach(const Rank &rank, gnomon_point &point, PointArray array);
  /// gnomon_computes.
  bool computes(const Rank &rank, const gnomon_point &point);
  Decisions *decisions() const { return settings_.decisions.get(); }
  void enterPhase(RankState &rank, uint32_t phase);
  void enterPhaseWhere(RankState &rank, uint32_t phase);
  bool errorPath(gnomon_error_site &site);
  /// Whether an address that may be stale by these plans is surely right.
  bool mayFree(uint32_t plans) const { return !anySkipped() || !(plans & (1U << plan())); }
  double stretchEnded(RankState &rank, double metered, double skipped) override;
  uint32_t openInstance(const Rank &rank, gnomon_burst &record, const void *frame) override;
  void rankEnded(const Rank &rank) override;
  void rankStartsThreads(const Rank &rank) override;
  void ranksAdded() override;
  void moduleLoaded(gnomon_module &module) override;
  bool skips() const override { return sampler_.skips(); }
  /// Or folded, which is as good: data is not right from then on.
  bool anySkipped() const override { return sampler_.anySkipped() || fold::any(); }
  bool isGivenDecisions() const override { return decisions() && decisions()->gives(); }
  void executeAll() override;

  /// What hooks take is measured over so many instances between two readings of the counter.
  static constexpr int CalibrationInstances = 500;

  burst::Report report();
  std::vector<EarlierRate> foundRates() const { return sampler_.foundRates(); }
  DecisionReport decisionReport() const;
  /// What --record-profile writes.
  Profile recorded() const;
  /// What --record-decisions writes of bursts, and whether it does: a run that did not watch to its end knows a part.
  std::vector<BurstLog> recordedBursts() const;
  std::vector<StretchLog> recordedStretches(std::span<const BurstLog> logs) const;
  /// What costs are told in, as DecisionLog::machine has it; empty: in nothing that another run could use.
  std::string costUnit() const;
  bool recordsBursts() const { return volumes_ && !stoppedWatching_; }

private:
  [[gnu::always_inline]] void chargeAtOnce(BurstClock &clock, SteadyWork work, double cost) {
    if (work.list)
      GivenVolumes::goOn(*work.list);
    clock.takeOut(skipSeconds_);
    clock.charge(cost);
  }
  bool skip(BurstClock &clock, gnomon_burst &record, uint64_t work, const void *frame,
            double cost) {
    clock.charge(cost);
    if (knowsMemory_) [[unlikely]]
      clock.noteMemory(cost, rateOf(record).memoryShare);
    if (volumeSink) [[unlikely]]
      clock.tellSkipped(*world_.ranks[clock.bursts()->number], partOf(record), cost);
    if (foldsNext_) [[unlikely]]
      foldMore();
    if (record.flags & GNOMON_BURST_SLICED) [[unlikely]]
      keepSlice(clock, record, work, frame, cost);
    return false;
  }
  /// What has been counted since the instance began; since then the counter has grown by \p ahead more than what ran.
  static uint64_t executedSince(const OpenInstance &open, int64_t ahead) {
    return countedInstructions() - open.instructions - static_cast<uint64_t>(ahead);
  }
  static void runPlainly(const BurstClock &clock, RankState &rank, gnomon_burst &record,
                         const void *frame) {
    rank.open.record = &record;
    rank.open.frame = frame;
    rank.open.entries = clock.entries();
    rank.open.recursion = 0;
    rank.open.kind = OpenInstance::Kind::Run;
    rank.open.again = 0;
  }
  uint32_t partOf(const gnomon_burst &record) {
    const uint32_t known = record.index < parts_.size() ? parts_[record.index] : NoPart;
    return known != NoPart ? known : newPart(record);
  }
  uint32_t newPart(const gnomon_burst &record);
  void tellInstance(const gnomon_burst &record, CountedStretch::Untold untold);
  bool beginNamedAnew(Rank &rank, gnomon_burst &record, const void *frame);
  void enterBurst(BurstClock &clock, const gnomon_burst *record, int64_t ahead = 0);
  /// Saves no registers where instructions are told and nothing else: other ways are apart.
  void tellBurst(BurstClock &clock, const gnomon_burst *record, int64_t ahead = 0) {
    if (!tellsCounted_) [[unlikely]]
      return tellTimed(clock, record, ahead);
    uint32_t part = 0;
    if (record) {
      if (record->index - 1 >= namedParts_) [[unlikely]]
        return tellNew(clock, *record, ahead);
      part = parts_[record->index];
      if (part == NoPart) [[unlikely]]
        return tellNew(clock, *record, ahead);
    }
    // Sums of whole numbers leave no mark in the program's floating-point flags.
    tellCounted(*world_.ranks[clock.bursts()->number], part, ahead);
  }
  /// The same of a burst that has no number yet.
  void tellNew(BurstClock &clock, const gnomon_burst &record, int64_t ahead);
  /// enterBurst where instructions are told and nothing else.
  static void tellCounted(Rank &rank, uint32_t part, int64_t ahead) {
    rank.burst.tellFromNowOn(rank, part, ahead > 0 ? ahead : 0);
  }
  void tellTimed(BurstClock &clock, const gnomon_burst *record, int64_t ahead);
  void foldFromTheStart();
  /// Whether instances are timed in order to know what others cost, so that their memory must be as the program's.
  bool sampled() const { return mode_ == ComputeMode::Measured && !sampler_.needsNoSamples(); }
  void foldMore();
  void noteVariables(const gnomon_module &module, uint32_t first) const;
  void beginFolding();
  void foldReached() const;
  unsigned plan() const;
  bool foldsByPoints() const;
  bool mustExecute() const;
  bool mayFreeze() const;
  bool foldWhatIsOnlySkipped();
  bool beginUnknown(BurstClock &clock, gnomon_burst &record, uint64_t work, const void *frame);
  bool isInside(BurstClock &clock, gnomon_burst &record, const void *frame);
  static void checkThread(const Rank &rank, const gnomon_point &point);
  template <class Decide>
  auto passPoint(const Rank &rank, gnomon_point &point, const Decide &decide);
  bool decide(BurstClock &clock, gnomon_burst &record, const void *frame, Decision decision);
  void open(BurstClock &clock, gnomon_burst &record, const void *frame, OpenInstance::Kind kind);
  void startMeasuring(OpenInstance &open) const;
  void lookAtCore(BurstClock &clock, uint64_t cycles);
  void readBothClocks();
  bool lostCore(double cost, double expected);
  OpenInstance::Kind clockFor(const RankState &rank) const;
  void close(BurstClock &clock, int64_t ahead);
  /// Whether somebody wants to know of the parts of skipped instances that are kept.
  bool tellsKept() const { return volumes_ || volumeSink; }
  void closeInterrupted(RankState &rank, const OpenInstance &open);
  void closeKept(BurstClock &clock, const OpenInstance &open) const;
  std::optional<double> sample(BurstClock &clock, RankState &rank, const OpenInstance &open,
                               uint64_t cycles);
  ProfileBurst recordedBurst(const Entry &entry, Counted &sum, double &seconds) const;
  void note(const RankState &rank, const OpenInstance &open, double cost, bool measured);
  void noteVolume(const BurstClock &clock, const OpenInstance &open, std::optional<double> cost);
  void noteFoundVolume(const BurstClock &clock, const OpenInstance &open);
  void addVolume(RankState &rank, const NotedVolume &volume);
  void keepVolume(RankState &rank, const NotedVolume &volume);
  void sortOutVolumes(RankState &rank);
  void remember(RankState &rank, const gnomon_burst &record, uint64_t work);
  void startRepeats(BurstClock &clock);
  void stopRepeats(RankState &rank);
  static void openUsually(RankState &rank);
  static void passOn(RankState &rank);
  Repeat *listRepeat(RankState &rank, const gnomon_burst &record, uint64_t work);
  void endOtherwise(RankState &rank, uint32_t place, uint64_t instructions);
  void tellRepeats(RankState &rank, Repeat &again);
  void noteBegun(uint64_t count);
  static uint64_t compositionOf(const RankState &rank);
  bool isSameStretch(RankState &rank, uint64_t composition, double seconds);
  void tellVolumes(RankState &rank, uint32_t index);
  void tellMany(RankState &rank, const Repeat &again);
  void tellNoted(RankState &rank, Repeat &again);
  void tellAllRepeats(RankState &rank);
  void countRepeats();
  void notePlain(BurstClock &clock, const OpenInstance &open);
  void drop(BurstClock &clock);
  void endPart(BurstClock &clock);
  double calibrateStretch(RankState &rank, double metered, double skipped);
  bool looksAtStretches() const { return stretches_ || givenStretches_; }
  std::optional<double> lookAtStretch(RankState &rank, double seconds, uint64_t composition);
  double chargeAsKnown(RankState &rank, double seconds, double skipped, double variation,
                       uint64_t composition);
  void watchOverhead();
  void switchOn(bool on);
  void calibrateHooks(BurstClock &clock);
  double hookSeconds(bool watching);
  void takeOut(BurstClock &clock, uint64_t since);
  void takeOutSince(BurstClock &clock, uint64_t since, double more);
  void introduce(gnomon_burst &record);
  void introducePoints(gnomon_module &module);
  void choosePlans(gnomon_module &module) const;
  void executeFromNowOn(const gnomon_point &point);
  void holdWhatIsUnknown();
  void letGo();
  void prepareLogs();
  const BurstLog *givenLog(const BurstKey &key) const;
  std::vector<ProfileRow> costsOf(const Entry &entry, bool byVolume) const;
  void learn(gnomon_burst &record, const BurstKey &key);
  ProfileRate rateOf(const gnomon_burst &record) const;
  double hostDrift() const;

  static constexpr uint32_t NoPart = ~uint32_t{0};
  static constexpr size_t MostNotedVolumes = 512;
  static constexpr uint64_t InstancesBetweenChecks = 1 << 16;
  World &world_;
  const Settings settings_;
  Sampler sampler_;
  std::deque<RankState> ranks_; ///< whose addresses the ranks' clocks keep
  CoreSpeed &cores_;
  ComputeMode mode_;
  double skipSeconds_ = 0;  ///< of the meter: what the hooks of a skipped instance take
  double watchSeconds_ = 0; ///< and those of one that runs while its rank watches
  gnomon_burst calibrationRecord_{};
  bool calibrated_ = false;
  /// What hooks take is read from the counter each time, as they do more than those that were calibrated.
  bool timesHooks_ = false;
  bool countsRepeats_ = false; ///< HookWay::Repeats
  double leakSeconds_ =
      0; ///< then: of an instance that runs, what they take before and behind those readings
  double againSeconds_ = 0; ///< what both hooks of an instance take that came again
  double timedHooks_ = 0;   ///< in that mean
  double hookSeconds_ = 0;  ///< of the thread, that hooks of executed instances have taken
  /// By file and function: bursts introduced so far, for the ordinals of keys.
  std::map<std::pair<std::string, std::string>, uint32_t> ordinals_;
  std::unordered_map<const gnomon_burst *, BurstKey> keys_;
  std::unordered_map<const gnomon_burst *, ProfileRate> profileRates_;
  bool knowsMemory_ = false;    ///< the profile says how some burst loads memory
  std::vector<uint32_t> parts_; ///< of VolumeSink, by index
  uint32_t namedParts_ = 0;     ///< bursts that it has room for, 0 left out
  std::unordered_set<const gnomon_burst *> missing_;  ///< bursts that the profile lacks
  std::vector<std::array<Counted, Warmths>> counted_; ///< by slot
  std::optional<VolumeRecorder> volumes_;             ///< while decisions are recorded
  bool givesCosts_ = false;                           ///< what bursts cost is given too
  uint64_t followFormula_ = 0;               ///< bursts of which volumes are known, and not given
  std::optional<GivenVolumes> givenVolumes_; ///< while they are given
  std::optional<StretchRecorder> stretches_; ///< while decisions are recorded, and time is measured
  std::optional<GivenStretches> givenStretches_; ///< while what they took is given
  bool countsVolumes_ = false;                   ///< of instances that are executed
  /// Nothing is skipped before ranks have found their volumes, and come to the points that they are assumed to decide
  /// alike.
  bool holding_ = false;
  bool executesAll_ = false; ///< for good
  std::vector<gnomon_error_site *> errorSites_;
  /// Simulated, charged beyond what skipped instances should cost: their stretches' variation.
  double variationSeconds_ = 0;
  /// Simulated, by which skipped instances should have cost more than the stretches that they are in are known to take.
  double skippedBeyond_ = 0;
  /// Both clocks' latest reading together: what the counter goes beyond the thread's, the thread
  /// was without its core.
  uint64_t pairCycles_ = 0;
  double pairSeconds_ = 0;
  uint64_t instances_ = 0, dropped_ = 0, faulted_ = 0, preempted_ = 0;
  bool on_ = false;
  /// Skipping lets more memory be folded: the first instance; where instances are measured, at last that hardly anything
  /// else is done.
  bool foldsNext_ = false;
  Prevalence prevalence_;
  bool userSays_ = false;       ///< what some burst costs, or how many instances are executed
  bool anyUnsafe_ = false;      ///< some burst is (GNOMON_BURST_UNSAFE)
  bool anyWithThreads_ = false; ///< some rank executes all by itself
  /// An executed instance that is not measured leaves nothing to do at its end.
  bool plainRuns_ = true;
  /// A trace is written, all is executed, and instructions are its volumes.
  bool tellsCounted_ = false;
  bool asksForWork_ = true;
  double startedAtSeconds_ = 0;
  bool stoppedWatching_ = false;
  double watchedSeconds_ = 0;
};

/// Of the running simulation.
inline constinit Bursts *installedBursts = nullptr;
/// What those want of hooks; each asks.
enum class HookWay : uint8_t {
  Usual,
  NamesOnly, ///< a recorded run wants to know in which burst a rank is, and nothing else
  Repeats,   ///< all is executed, and no burst is told to a trace: what comes again is counted
};
inline constinit HookWay hookWay = HookWay::Usual;
/// Null when this run leaves bursts alone.
inline Bursts *bursts() { return installedBursts; }

} // namespace gnomon::process::burst
