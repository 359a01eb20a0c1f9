// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/burst/Bursts.h"

#include "process/burst/DefaultFloats.h"
#include "process/fold/FoldedMemory.h"
#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/ranks/CycleClock.h"
#include "process/ranks/Jobs.h"
#include "process/ranks/PageCost.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/Threads.h"
#include "process/ranks/World.h"
#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>

namespace gnomon::process::burst {
namespace {

using Kind = OpenInstance::Kind;

/// From here on two readings of the thread's clock (a system call each) are lost in the instance.
constexpr double LongInstanceSeconds = 50e-6;
/// A page's first use takes about so long, and may make up so much of an instance that is like
/// others.
constexpr double FaultSeconds = 1e-6;
constexpr double LightShare = 0.02;
/// So much of a sample taken out makes it doubtful.
constexpr double DoubtfulShare = 0.05;
/// The thread's clock and the counter are read together at least so often where the counter
/// measures: in a longer time the two drift apart by more than what is looked for.
constexpr double PairSeconds = 1e-3;
/// What the counter measures is looked at when it is so long, and so many times what its kind takes.
constexpr double ShortestLoss = 1e-6;
constexpr double FarFromExpected = 3;
/// More of it than this without the core, and it is no sample.
constexpr double LostShare = 0.1;
/// What watching may cost of the thread's time when nothing is skipped.
constexpr double MostOverhead = 0.02;
/// And when decisions are recorded, with what bursts cost: not before a program's setup, with its many short bursts, may
/// be over.
constexpr double MostOverheadOfRecording = 0.25, LeastRecorded = 2;

rusage threadUsage() {
  rusage usage{};
  GNOMON_REAL(getrusage)(RUSAGE_THREAD, &usage);
  return usage;
}

/// What is done for all ranks while it lives is none of the computation of the rank that happens to be there: to give
/// back the pages of a thousand ranks takes a tenth of a second.
class TakenOut {
public:
  /// Of a meter that counts instructions there is nothing to take out.
  explicit TakenOut(ComputeMode mode) : measured_(mode == ComputeMode::Measured) {
    if (measured_)
      began_ = threadCpuSeconds();
  }
  ~TakenOut() {
    if (Rank *rank = measured_ ? currentRank() : nullptr)
      rank->burst.takeOut(threadCpuSeconds() - began_);
  }
  TakenOut(const TakenOut &) = delete;
  TakenOut &operator=(const TakenOut &) = delete;

private:
  bool measured_;
  double began_ = 0;
};

bool wanted(const process::Settings &ranks, const Settings &bursts) {
  const bool looks = bursts.lookedAt && ranks.compute == ComputeMode::Measured;
  const bool told = (bursts.reported || bursts.traced) && ranks.compute != ComputeMode::None;
  return ranks.launched && (told || looks || bursts.sample.skips() || bursts.record ||
                            bursts.profile || bursts.decisions);
}

/// A run that records decisions learns for later ones what bursts cost.
SamplePolicy policyOf(ComputeMode compute, const Settings &settings) {
  SamplePolicy policy = settings.sample;
  policy.counts = compute == ComputeMode::Counted || compute == ComputeMode::Profile;
  const bool records = settings.decisions && !settings.decisions->gives();
  if (records && compute == ComputeMode::Measured && !policy.learns()) {
    policy.scope = SamplePolicy::Scope::Global;
    policy.learnsOnly = true;
  }
  return policy;
}

} // namespace

SkippingMaker skipping(Settings settings) {
  return [settings = std::move(settings)](World &world, const process::Settings &ranks) {
    std::unique_ptr<Bursts> made;
    if (wanted(ranks, settings))
      made = std::make_unique<Bursts>(world, ranks, settings);
    installedBursts = made.get();
    return made;
  };
}

Bursts::~Bursts() {
  installedBursts = nullptr;
  hookWay = HookWay::Usual;
  repeatHooks = {};
}

Bursts::Bursts(World &world, const process::Settings &ranks, Settings settings)
    : world_(world), settings_(std::move(settings)),
      sampler_(policyOf(ranks.compute, settings_), static_cast<uint32_t>(world.ranks.size()),
               ranks.compute == ComputeMode::None ? 1 : flopsPerCost()),
      cores_(coreSpeed()), mode_(ranks.compute) {
  foldsNext_ = settings_.folding && settings_.sample.skips();
  if (mode_ == ComputeMode::None)
    sampler_.costNothing();
  if (mode_ == ComputeMode::Measured) {
    sampler_.watchCaches();
    sampler_.expect(std::move(settings_.earlier));
  }
  if (settings_.record)
    sampler_.measureMore();
  // What it takes to tell a recording is taken out of measured time, where plain runs take out a
  // constant.
  const bool toldInTime = settings_.traced && mode_ == ComputeMode::Measured;
  plainRuns_ = mode_ != ComputeMode::Profile && !settings_.record && !toldInTime;
  tellsCounted_ = settings_.traced && mode_ == ComputeMode::Counted && !settings_.sample.skips();
  if (tellsCounted_ && !settings_.reported && !settings_.record && !settings_.decisions)
    hookWay = HookWay::NamesOnly;
  if (settings_.decisions)
    prepareLogs();
  timesHooks_ = volumes_ && plainRuns_ && mode_ == ComputeMode::Measured;
  const bool executesAll = !sampler_.skips() && (!settings_.decisions || volumes_);
  countsRepeats_ = timesHooks_ || (mode_ == ComputeMode::Counted && executesAll && plainRuns_ &&
                                   !settings_.traced);
  if (countsRepeats_)
    hookWay = HookWay::Repeats;
  if (!timesHooks_)
    repeatHooks.untilTimed = RepeatHooks::Never;
  // Where nothing takes time, work is told to recordings only.
  asksForWork_ = mode_ != ComputeMode::None || volumes_ || settings_.record;
  ranksAdded();
  on_ = true;
  for (gnomon_module *module : modules())
    moduleLoaded(*module);
  if (foldsNext_)
    foldFromTheStart();
  startedAtSeconds_ = threadCpuSeconds();
}

void Bursts::ranksAdded() {
  const auto all = static_cast<uint32_t>(world_.ranks.size());
  const auto first = static_cast<uint32_t>(ranks_.size());
  if (foldsNext_ && !fold::memory()) {
    fold::Settings folding = *settings_.folding;
    folding.windows = !sampled();
    // Samples are as they were before smaller ones were shared (docs/performance/folding.md).
    if (sampled())
      folding.leastBytes = std::max(folding.leastBytes, folding.leastMappedBytes);
    fold::install(std::make_unique<fold::FoldedMemory>(folding));
  }
  for (size_t i = ranks_.size(); i < all; ++i) {
    Rank &rank = *world_.ranks[i];
    RankState &mine = ranks_.emplace_back();
    mine.number = rank.number;
    mine.witness = Watches::isWitness(rank.number, all);
    if (mode_ != ComputeMode::None)
      mine.secondsPerCost = flopsPerCost() / world_.platform.hosts()[rank.host].speedFlops;
    if (settings_.profile)
      rank.burst.startAtRate(settings_.profile->gapSecondsPerInstruction);
    rank.burst.setBursts(&mine);
    // Whose instances are timed, and know no other rank's caches.
    if (foldsNext_ && mine.witness && sampled())
      fold::memory()->keep(mine.number);
  }
  sampler_.setRanks(all);
  // New ranks come to all phases again.
  if (fold::FoldedMemory *folded = fold::memory(); folded && folded->begun())
    folded->passAgain(sampler_.reachedPhase());
  if (on_)
    for (const gnomon_module *module : modules())
      noteVariables(*module, first);
}

/// Large variables of the ranks from \p first on that may be folded: blocks as those from the heap.
void Bursts::noteVariables(const gnomon_module &module, uint32_t first) const {
  fold::FoldedMemory *folded = fold::memory();
  for (uint64_t i = 0; folded && i < module.fold_site_count; ++i) {
    gnomon_fold_site &site = *module.fold_sites[i];
    if (!site.variable || (site.bytes < folded->leastBytes() && !folded->poisons()))
      continue;
    for (uint32_t rank = first; rank < ranks_.size(); ++rank) {
      // The only rank runs on the section itself.
      char *place = runsModule(module, rank)
                        ? simulation()->images.placeOf(module, site.variable, rank)
                        : site.variable;
      if (place != site.variable)
        folded->note(rank, site, place, site.bytes, fold::Place::Movable);
    }
  }
}

/// What is given is compared with what is computed, and volumes are found, on data that are right; a file that is read
/// back must have been written before; what is measured first makes pages, which shared memory has already.
void Bursts::foldFromTheStart() {
  if (settings_.decisions || mode_ == ComputeMode::Measured ||
      anyModuleHas(GNOMON_MODULE_CHECKS_FILES))
    return;
  fold::memory()->begin(fold::Plan::Plain, 0);
  foldsNext_ = !foldWhatIsOnlySkipped() && !mustExecute();
}

/// Something has been skipped. First what may be folded while bursts are executed, then what else may when hardly any are.
void Bursts::foldMore() {
  if (holding_) // what the user forces is skipped all the same
    return;
  fold::FoldedMemory &folded = *fold::memory();
  if (!folded.begun())
    beginFolding();
  if (!sampler_.needsNoSamples()) {
    if (!prevalence_.isDue(sampler_))
      return;
    const TakenOut taken(mode_);
    if (!prevalence_.prevails(sampler_.sums()))
      return;
  }
  const TakenOut taken(mode_);
  folded.settle();
  foldsNext_ = !foldWhatIsOnlySkipped() && !mustExecute();
}

/// What points that are executed rest on is kept (ExecutedPoints).
bool Bursts::foldsByPoints() const { return decisions() && decisions()->gives(); }

void Bursts::beginFolding() {
  const TakenOut taken(mode_);
  fold::memory()->begin(foldsByPoints() ? fold::Plan::Decided : fold::Plan::Plain,
                        sampler_.reachedPhase(), sampled() ? fold::Extent::New : fold::Extent::All);
}

/// Whether bursts that may be skipped are executed for other reasons than to learn, throughout the run.
bool Bursts::mustExecute() const {
  return anyWithThreads_ || (givenVolumes_ && givenVolumes_->foundAnew() > 0) ||
         (decisions() && decisions()->gives() && decisions()->executesAny());
}

/// Whether no unsafe burst has to be executed any more, and none is at the moment.
bool Bursts::mayFreeze() const {
  return !mustExecute() && sampler_.unsafeAreKnown() &&
         std::none_of(ranks_.begin(), ranks_.end(), [](const RankState &rank) {
           return rank.open.record && (rank.open.record->flags & GNOMON_BURST_UNSAFE);
         });
}

/// What folding began with goes on to all memory from which only unsafe bursts read what must be right; whether it did.
bool Bursts::foldWhatIsOnlySkipped() {
  if (!mayFreeze())
    return false;
  sampler_.freezeUnsafe();
  fold::memory()->begin(foldsByPoints() ? fold::Plan::DecidedSkipped : fold::Plan::Skipped,
                        sampler_.reachedPhase());
  return true;
}

void Bursts::enterPhase(RankState &rank, uint32_t phase) {
  sampler_.enterPhase(rank, phase);
  foldReached();
}

void Bursts::enterPhaseWhere(RankState &rank, uint32_t phase) {
  sampler_.enterPhaseWhere(rank, phase);
  foldReached();
}

/// Ranks may have entered a phase, or ended before it.
void Bursts::foldReached() const {
  fold::FoldedMemory *folded = fold::memory();
  if (!folded || !folded->begun() || folded->reached() >= sampler_.reachedPhase())
    return;
  const TakenOut taken(mode_);
  folded->reach(sampler_.reachedPhase());
}

void Bursts::moduleLoaded(gnomon_module &module) {
  if (module.bursts_on)
    *module.bursts_on = on_;
  if (settings_.decisions)
    introducePoints(module);
  if (settings_.decisions && settings_.decisions->gives())
    choosePlans(module);
  for (uint64_t i = 0; i < module.burst_count; ++i)
    introduce(*module.bursts[i]);
  noteVariables(module, 0);
  holdWhatIsUnknown();
}

void Bursts::switchOn(bool on) {
  on_ = on;
  for (gnomon_module *module : modules())
    if (module->bursts_on)
      *module->bursts_on = on;
}

/// Whether an instance may enter the runtime and still be a sample.
static bool mayEnter(const gnomon_burst &record) {
  return record.flags & (GNOMON_BURST_FORCED | GNOMON_BURST_CLOCK);
}

/// An instance is open: the burst is inside it, and belongs to it; or that instance was left by an
/// exception or a jump, and is forgotten.
bool Bursts::isInside(BurstClock &clock, gnomon_burst &record, const void *frame) {
  OpenInstance &open = clock.bursts()->open;
  // Stacks grow downwards: a caller's frame is above those of what it calls. In one function, only
  // what the user forced holds other bursts. An instance does not enter the runtime, unless the
  // user forced it or it reads a clock.
  const bool forced = open.record->flags & GNOMON_BURST_FORCED;
  const bool beside = frame == open.frame && (!forced || open.record == &record);
  const bool left = frame > open.frame || beside;
  const bool entered = open.entries != clock.entries() && !mayEnter(*open.record);
  if (left || entered) {
    drop(clock);
    return false;
  }
  open.recursion += open.record == &record;
  return true;
}

void Bursts::drop(BurstClock &clock) {
  OpenInstance &open = clock.bursts()->open;
  ++dropped_;
  if (open.again != 0)
    tellVolumes(*clock.bursts(), Repeats::indexOf(open.again));
  if (volumes_ && maySometimesBeSkipped(*open.record))
    addVolume(*clock.bursts(), {0, 0, 1, open.record->index});
  open.record = nullptr;
  enterBurst(clock, nullptr);
}

/// The rank finds out what the instance executes. \p work: a guess.
bool Bursts::beginUnknown(BurstClock &clock, gnomon_burst &record, uint64_t work,
                          const void *frame) {
  return decide(clock, record, frame,
                sampler_.beginUnknown(*clock.bursts(), record, work, clock.entries()));
}

/// beginNamed inside another instance, or of a burst that has no number yet.
bool Bursts::beginNamedAnew(Rank &rank, gnomon_burst &record, const void *frame) {
  BurstClock &clock = rank.burst;
  RankState &state = *clock.bursts();
  if (state.open.record && isInside(clock, record, frame))
    return true;
  if (record.index == 0)
    return begin(clock, record, 0, frame);
  runPlainly(clock, state, record, frame);
  clock.tellFromNowOn(rank, partOf(record));
  return true;
}

uint32_t Bursts::openInstance(const Rank &rank, gnomon_burst &record, const void *frame) {
  const BurstClock &clock = rank.burst;
  runPlainly(clock, *clock.bursts(), record, frame);
  clock.bursts()->open.entries = countedStretch.entries;
  return partOf(record);
}

/// The first of its burst in a stretch, or behind one of another burst.
[[gnu::noinline]] void Bursts::tellInstance(const gnomon_burst &record,
                                            CountedStretch::Untold untold) {
  countedStretch.recent = &record;
  rankInPlace->burst.tellInstance(partOf(record), untold.between, untold.inside);
}

bool Bursts::decide(BurstClock &clock, gnomon_burst &record, const void *frame, Decision decision) {
  const DefaultFloats guard;
  const bool measured = mode_ == ComputeMode::Measured;
  if (measured && !calibrated_)
    calibrateHooks(clock);
  const uint64_t before = measured ? readCycles() : 0;
  RankState &rank = *clock.bursts();
  // Records that no module lists: made by hand, in a header for another simulator's macros.
  if (record.index == 0 && &record != &calibrationRecord_)
    introduce(record);
  if (decision.action == Decision::Action::Decide)
    decision = sampler_.decide(rank, record, clock.entries());
  const bool execute = decision.action != Decision::Action::Skip;
  if (execute) {
    if (measured)
      cores_.look(before);
    const bool measure = decision.action == Decision::Action::Measure;
    open(clock, record, frame, measure ? clockFor(rank) : Kind::Run);
    if (++instances_ % InstancesBetweenChecks == 0)
      watchOverhead();
  }
  if (execute && rank.open.kind == Kind::Cycles && cycleSeconds(pairCycles_, before) > PairSeconds)
      [[unlikely]]
    readBothClocks();
  if (measured) {
    takeOut(clock, before);
    rank.open.cycles = readCycles();
  }
  return execute || skip(clock, record, rank.work, frame, decision.cost);
}

Kind Bursts::clockFor(const RankState &rank) const {
  switch (mode_) {
  case ComputeMode::None:
    return Kind::Run;
  case ComputeMode::Counted:
  case ComputeMode::Profile:
    return Kind::Meter;
  case ComputeMode::Measured:
    break;
  }
  const Slot &slot = sampler_.slots()[rank.slot];
  // Nothing is known of the first one of its size, and it may be long enough to be disturbed.
  const bool isLong =
      !slot.isMeasured() || slot.measuredRate() * unitsOf(rank.work) > LongInstanceSeconds;
  return isLong ? Kind::Thread : Kind::Cycles;
}

/// enterBurst, called from the program with its own floating-point environment.
void Bursts::tellTimed(BurstClock &clock, const gnomon_burst *record, int64_t ahead) {
  const DefaultFloats guard;
  enterBurst(clock, record, ahead);
}

void Bursts::open(BurstClock &clock, gnomon_burst &record, const void *frame, Kind kind) {
  OpenInstance &open = clock.bursts()->open;
  open.record = &record;
  open.frame = frame;
  open.entries = clock.entries();
  open.recursion = 0;
  open.again = 0;
  open.kind = kind;
  open.slowness = cores_.slowness();
  open.sharing = cores_.sharing();
  enterBurst(clock, &record);
  if (mayEnter(record) && kind != Kind::Run)
    open.computed = computedSeconds(*world_.ranks[clock.bursts()->number]);
  if (kind == Kind::Thread) {
    const rusage usage = threadUsage();
    open.faults = faultsOf(usage);
    open.switches = usage.ru_nivcsw;
    open.ahead = pageFigures().aheadLeftOutSeconds;
    open.reading = threadCpuSeconds();
  } else if (kind == Kind::Meter) {
    open.reading = meterReading();
  }
  if (settings_.record || countsVolumes_ || kind != Kind::Run)
    open.instructions = countedInstructions();
}

void Bursts::keepSlice(BurstClock &clock, gnomon_burst &record, uint64_t work, const void *frame,
                       double cost) {
  RankState &rank = *clock.bursts();
  rank.work = work;
  runPlainly(clock, rank, record, frame);
  OpenInstance &open = rank.open;
  open.kind = Kind::Kept;
  open.cost = cost;
  if (tellsKept()) [[unlikely]] {
    enterBurst(clock, &record);
    open.instructions = countedInstructions();
  }
  if (mode_ == ComputeMode::Measured && cost < LongInstanceSeconds)
    open.cycles = readCycles();
  else
    open.reading = meterReading();
}

void Bursts::closeKept(BurstClock &clock, const OpenInstance &open) const {
  const DefaultFloats guard;
  // Another thread may have had the core in between: a part takes no longer than the whole.
  if (mode_ == ComputeMode::Measured && open.cost < LongInstanceSeconds)
    clock.takeOut(std::min(open.cost, cycleSeconds(open.cycles, readCycles())));
  else if (mode_ != ComputeMode::None)
    clock.takeOut(meterReading() - open.reading);
}

/// The clock was stopped and restarted inside the instance, and other ranks may have run. A burst
/// that the user forced, or that reads a clock, may do that: its cost is what was charged.
void Bursts::closeInterrupted(RankState &rank, const OpenInstance &open) {
  if (!mayEnter(*open.record)) {
    ++dropped_;
    return;
  }
  if (open.kind == Kind::Run)
    return;
  const double seconds = computedSeconds(*world_.ranks[rank.number]) - open.computed;
  rank.instructions = 0;
  sampler_.executed(rank, std::max(seconds, 0.0) / rank.secondsPerCost, false);
}

/// What the hook took since \p since is not the program's, nor what it took before.
void Bursts::takeOut(BurstClock &clock, uint64_t since) {
  takeOutSince(clock, since, skipSeconds_);
}

void Bursts::takeOutSince(BurstClock &clock, uint64_t since, double more) {
  // Weighing some hundred samples takes tens of microseconds; more than that is not the hook:
  // another thread had the core.
  constexpr double Calls = 300;
  const double seconds =
      more + std::min(cycleSeconds(since, readCycles()), Calls * threadClockReadingSeconds());
  clock.takeOut(seconds);
  hookSeconds_ += seconds;
}

void Bursts::close(BurstClock &clock, int64_t ahead) {
  const DefaultFloats guard;
  RankState &rank = *clock.bursts();
  const uint64_t cycles = mode_ == ComputeMode::Measured ? readCycles() : 0;
  const OpenInstance open = rank.open;
  rank.open.record = nullptr;
  if (givenVolumes_ && countsVolumes_ && open.kind != Kind::Kept)
    noteFoundVolume(clock, open);
  std::optional<double> cost;
  if (open.kind == Kind::Kept)
    closeKept(clock, open);
  else if (open.entries != clock.entries())
    closeInterrupted(rank, open);
  else
    cost = sample(clock, rank, open, cycles);
  if (volumes_)
    noteVolume(clock, open, cost);
  enterBurst(clock, nullptr, ahead);
  if (mode_ == ComputeMode::Measured && open.kind != Kind::Kept)
    takeOut(clock, cycles);
}

/// What the instance cost; nothing where that is not known.
std::optional<double> Bursts::sample(BurstClock &clock, RankState &rank, const OpenInstance &open,
                                     uint64_t cycles) {
  double cost = 0;
  bool disturbed = false, light = false, doubtful = false;
  if (open.kind == Kind::Thread) {
    cost = threadCpuSeconds() - open.reading - threadClockReadingSeconds();
    cost -= pageFigures().aheadLeftOutSeconds - open.ahead;
    const rusage usage = threadUsage();
    const uint64_t faults = faultsOf(usage) - open.faults;
    const bool faulted = faults > 0;
    const double excess = pageExcess(faults);
    cost -= excess;
    doubtful = excess > DoubtfulShare * cost;
    light = static_cast<double>(faults) * FaultSeconds <= LightShare * cost;
    const bool preempted = usage.ru_nivcsw > open.switches;
    faulted_ += faulted;
    preempted_ += preempted;
    disturbed = faulted || preempted;
  } else if (open.kind == Kind::Cycles) {
    cost = cycleSeconds(open.cycles, cycles) - cycleReadingSeconds();
    if (lostCore(cost, sampler_.expectedCost(rank))) {
      ++preempted_;
      sampler_.discarded(rank);
      return std::nullopt;
    }
  } else if (open.kind == Kind::Meter) {
    cost = (meterReading() - open.reading) * clock.costPerReading();
  }
  if (open.kind == Kind::Thread || open.kind == Kind::Cycles) {
    cores_.look(cycles);
    cost /= (open.slowness + cores_.slowness()) / 2;
    const double sharing = (open.sharing + cores_.sharing()) / 2;
    // Arrays that are other ranks' too lie in caches as the program's never would.
    doubtful |= sharing > 1 + 2 * DoubtfulShare || (fold::any() && !rank.witness);
  }
  cost = std::max(cost, 0.0);
  rank.instructions = countedSince(open.instructions, countedInstructions());
  if (open.kind != Kind::Run)
    sampler_.executed(rank, cost, disturbed, light, doubtful);
  if (settings_.record)
    note(rank, open, cost, open.kind != Kind::Run);
  return open.kind == Kind::Run ? std::nullopt : std::optional(cost);
}

void Bursts::lookAtCore(BurstClock &clock, uint64_t cycles) {
  cores_.look(cycles);
  takeOut(clock, cycles);
}

void Bursts::readBothClocks() {
  pairCycles_ = readCycles();
  pairSeconds_ = threadCpuSeconds();
}

/// Whether an instance that took \p cost by the counter was without the core for a part of that.
/// Only what is much longer than the \p expected is looked at: it takes a system call. Losses
/// before it began look the same; another sample is soon found.
bool Bursts::lostCore(double cost, double expected) {
  if (cost < ShortestLoss || cost < FarFromExpected * expected)
    return false;
  const uint64_t cycles = pairCycles_;
  const double seconds = pairSeconds_;
  readBothClocks();
  return cycleSeconds(cycles, pairCycles_) - (pairSeconds_ - seconds) > LostShare * cost;
}

/// The instance has ended. One in which other ranks may have run has no volume of its own.
void Bursts::noteVolume(const BurstClock &clock, const OpenInstance &open,
                        std::optional<double> cost) {
  RankState &rank = *clock.bursts();
  if (!maySometimesBeSkipped(*open.record))
    return;
  const bool whole = open.entries == clock.entries();
  const uint64_t instructions = whole ? countedInstructions() - open.instructions : 0;
  if (countsRepeats_)
    tellVolumes(rank, open.record->index);
  addVolume(rank, {rank.work, instructions, 1, open.record->index});
  if (cost) {
    sortOutVolumes(rank);
    volumes_->noteCost(*open.record, rank.warmth, instructions, *cost);
  }
}

void Bursts::addVolume(RankState &rank, const NotedVolume &volume) {
  rank.stretch.volume += volume.times * volume.instructions;
  if (stretches_)
    rank.whole.addVolume(volume.burst, volume.instructions, volume.times);
  keepVolume(rank, volume);
}

void Bursts::keepVolume(RankState &rank, const NotedVolume &volume) {
  rank.volumes.push_back(volume);
  // Where time is measured it is not the program's: that waits for the stretch's end.
  if (rank.ended || (!timesHooks_ && rank.volumes.size() >= MostNotedVolumes))
    sortOutVolumes(rank);
}

void Bursts::sortOutVolumes(RankState &rank) {
  for (const NotedVolume &noted : rank.volumes)
    volumes_->note(rank.number, *sampler_.entries()[noted.burst - 1].record, noted.work,
                   noted.instructions, noted.times);
  rank.volumes.clear();
}

/// What an executed instance has really executed, where volumes are given: of others, and of ranks that find their own.
void Bursts::noteFoundVolume(const BurstClock &clock, const OpenInstance &open) {
  RankState &rank = *clock.bursts();
  const gnomon_burst &record = *open.record;
  const uint64_t instructions =
      open.entries == clock.entries() ? countedInstructions() - open.instructions : 0;
  const bool given = record.flags & GNOMON_BURST_VOLUMES;
  if (given)
    givenVolumes_->found(rank.number, record, instructions);
  if (given && instructions > 0 && !(record.flags & GNOMON_BURST_FORCED))
    sampler_.executedUnits(rank, instructions, open.kind != Kind::Run);
  if (holding_) {
    givenVolumes_->waited(instructions);
    letGo();
  }
}

/// The same at the end of an instance that was not measured.
void Bursts::notePlain(BurstClock &clock, const OpenInstance &open) {
  const uint64_t since = timesHooks_ ? readCycles() : 0;
  if (volumes_)
    noteVolume(clock, open, {});
  else
    noteFoundVolume(clock, open);
  if (timesHooks_)
    takeOutSince(clock, since, 0);
}

void Bursts::watchOverhead() {
  const double elapsed = threadCpuSeconds() - startedAtSeconds_;
  const double most = volumes_ ? MostOverheadOfRecording : MostOverhead;
  if (volumes_ && elapsed < LeastRecorded)
    return;
  if (sampler_.skips() || hookSeconds_ <= most * elapsed || settings_.record || settings_.traced ||
      mode_ != ComputeMode::Measured)
    return;
  stoppedWatching_ = true;
  watchedSeconds_ = 0;
  for (const auto &rank : world_.ranks)
    watchedSeconds_ += computedSeconds(*rank);
  switchOn(false);
}

/// GNOMON_PLAN_*: what holds in this run now.
unsigned Bursts::plan() const {
  const fold::FoldedMemory *folded = fold::memory();
  unsigned plan = GNOMON_PLAN_PLAIN;
  if (settings_.decisions && settings_.decisions->gives())
    plan |= GNOMON_PLAN_DECIDED;
  if (folded && folded->plan() >= fold::Plan::Skipped)
    plan |= GNOMON_PLAN_SKIPPED;
  return plan;
}

bool Bursts::errorPath(gnomon_error_site &site) {
  if (site.stays ? !sampler_.skips() : !anySkipped())
    return true;
  if (!(site.plans & (1U << plan())))
    return true;
  if (site.taken++ == 0)
    errorSites_.push_back(&site);
  return false;
}

void Bursts::rankEnded(const Rank &rank) {
  sampler_.rankEnded(ranks_[rank.number]);
  stopRepeats(ranks_[rank.number]);
  tellAllRepeats(ranks_[rank.number]);
  if (stretches_)
    stretches_->settle();
  foldReached();
}

void Bursts::rankStartsThreads(const Rank &rank) {
  anyWithThreads_ = true;
  if (fold::FoldedMemory *folded = fold::memory()) {
    if (anyUnsafe_ && folded->begun() && folded->plan() >= fold::Plan::Skipped)
      abortWorld(
          static_cast<int>(ExitCode::BadInput),
          fmt::format(
              "gnomon: error: rank {} starts a thread, and executes all that it computes from now "
              "on, but bursts of this program may only be skipped where ranks share memory: "
              "run with --fold=off",
              rank.number));
    folded->keep(rank.number);
  }
  rankEnded(rank);
}

/// What the hooks of an instance take that is skipped, or runs while its rank is \p watching, beyond what they take out
/// themselves: by the hooks' own code, on a rank and a record made for it.
double Bursts::hookSeconds(bool watching) {
  Sampler scratch({SamplePolicy::Scope::Global, 1, 1, 1}, 1, 1);
  scratch.costNothing();
  std::swap(scratch, sampler_);
  std::optional<VolumeRecorder> volumes;
  if (volumes_)
    volumes.emplace(VolumeRecorder::Kept::Missed);
  std::swap(volumes, volumes_);
  const bool folds = std::exchange(foldsNext_, false); // nothing of the program's is skipped
  gnomon_burst &record = calibrationRecord_;
  record = {};
  record.function = "";
  record.flags = GNOMON_BURST_SKIPPABLE;
  record.flops = -1;
  RankState rank;
  rank.watch.number = watching ? 1 : 0;
  BurstClock clock;
  clock.setBursts(&rank);
  double least = 1;
  for (int round = 0; round < 10; ++round) {
    const double before = clock.metered(0);
    const uint64_t first = readCycles();
    for (int i = 0; i < CalibrationInstances; ++i) {
      if (const Sampler::AtOnce found = findAtOnce(clock, record, 100);
          found.entry && found.behindFirst)
        skipAtOnce(clock, *found.entry, found.slot, {100});
      else
        begin(clock, record, 100, nullptr);
      end(clock, record);
    }
    const double takenOut = timesHooks_ ? before - clock.metered(0) : 0;
    const double each = cycleSeconds(first, readCycles()) - takenOut;
    least = std::min(least, std::max(0.0, each) / CalibrationInstances);
  }
  std::swap(scratch, sampler_);
  std::swap(volumes, volumes_);
  foldsNext_ = folds;
  return least;
}

/// At the first burst, because most programs that are run have none.
void Bursts::calibrateHooks(BurstClock &running) {
  calibrated_ = true;
  const double started = threadCpuSeconds();
  calibrateCycles();
  const bool times = std::exchange(timesHooks_, false);
  skipSeconds_ = hookSeconds(false);
  watchSeconds_ = hookSeconds(true);
  timesHooks_ = times;
  if (timesHooks_)
    leakSeconds_ = hookSeconds(true);
  if (simulation()->equalWork.enabled())
    sampler_.evenOut(EqualWork::Far);
  running.takeOut(threadCpuSeconds() - started);
}

} // namespace gnomon::process::burst
