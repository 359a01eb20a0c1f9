// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/BurstClock.h"

#include "process/image/Modules.h"
#include "process/image/Real.h"
#include "process/ranks/CountedStretch.h"
#include "process/ranks/Crash.h"
#include "process/ranks/CycleClock.h"
#include "process/ranks/DeadFrames.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/TestClock.h"
#include "process/ranks/ThreadMeter.h"
#include "process/ranks/VolumeSink.h"
#include "process/ranks/Watchdog.h"
#include "support/Check.h"
#include "support/ReferenceKernel.h"

#include <algorithm>
#include <ctime>
#include <immintrin.h>
#include <sys/time.h>
#include <utility>

namespace gnomon::process {
namespace {

double (*threadClock)() = nullptr; ///< a test's; null: the real one
ThreadMeter meter;                 ///< what stretches of computation are measured by
double readingSeconds = -1;        ///< what a reading of it takes; negative: not yet measured

/// The sticky exception flags of MXCSR.
constexpr uint32_t FloatFlags = 0x3f;

/// What the runtime computes in between leaves no mark in the program's floating-point flags.
class KeepFloatFlags {
public:
  KeepFloatFlags() : control_(_mm_getcsr()) {}
  ~KeepFloatFlags() { _mm_setcsr(control_); }

private:
  uint32_t control_;
};

double seconds(const timespec &time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double readReal(clockid_t clock) {
  timespec now{};
  GNOMON_REAL(clock_gettime)(clock, &now);
  return seconds(now);
}

/// At the usual clock, where times are divided by the clock of the moment, too. Whatever disturbs a kernel makes it take
/// longer: the least times of both belong together.
double calibrate() {
  constexpr int Rounds = 200000;
  static volatile double keep = 1;
  double best = 1e30, leastClock = 1e30;
  double total = 0;
  CoreSpeed *cores = simulation() && simulation()->cores.enabled() ? &simulation()->cores : nullptr;
  for (int i = 0; i < 20 && total < 0.03; ++i) {
    double begin = threadCpuSeconds();
    keep = runReferenceKernel(keep, Rounds);
    double took = threadCpuSeconds() - begin;
    best = std::min(best, took);
    leastClock = std::min(leastClock, cores ? cores->clockNow() : 1);
    total += took;
  }
  best /= leastClock;
  return ReferenceFlopsPerRound * Rounds / std::max(best, 1e-9);
}

double leastReading() {
  double least = 1;
  for (int i = 0; i < 100; ++i) {
    const double begin = threadCpuSeconds();
    least = std::min(least, threadCpuSeconds() - begin);
  }
  return least;
}

double targetSpeed(const Rank &rank) { return world().platform.hosts()[rank.host].speedFlops; }

double flopsPerCostOf(const Settings &settings) {
  if (settings.compute == ComputeMode::Counted)
    return settings.flopsPerInstruction;
  return settings.hostSpeedFlops > 0 ? settings.hostSpeedFlops : measuredHostSpeed();
}

/// The threshold of SMPI is one of this machine's CPU seconds. \p targetSpeed: of the rank's host.
bool reachesThreshold(double cost, double targetSpeed, const Settings &settings) {
  if (settings.compute == ComputeMode::Counted)
    cost *= settings.flopsPerInstruction / targetSpeed;
  return cost >= settings.cpuThresholdSeconds;
}

} // namespace

/// The counter is behind what has run where a way is not at its end: before much has, it may be below zero.
static double instructionsSoFar() {
  return static_cast<double>(static_cast<int64_t>(countedInstructions()));
}

double meterReading() {
  if (!computationCosts())
    return 0;
  if (settings().compute == ComputeMode::Measured)
    return threadClock ? threadCpuSeconds() : meter.read();
  return instructionsSoFar();
}

double flopsPerCost() { return flopsPerCostOf(settings()); }

double threadCpuSeconds() {
  if (threadClock) [[unlikely]]
    return threadClock();
  return readReal(CLOCK_THREAD_CPUTIME_ID);
}

double threadClockReadingSeconds() {
  if (readingSeconds < 0) [[unlikely]]
    readingSeconds = leastReading();
  return readingSeconds;
}

void setThreadClockForTest(double (*clock)()) {
  threadClock = clock;
  readingSeconds = -1;
}

double measuredHostSpeed() {
  static const double speed = calibrate();
  return speed;
}

/// CPU cost of the running computation and what stands behind it, not yet charged.
double BurstClock::unchargedCostAt(double reading) const {
  double running = std::max(0.0, metered(reading));
  return carried_ + skipped_ + running * costPerReading_;
}

double BurstClock::unchargedCost() const {
  if (!computationCosts())
    return 0;
  return inProgram() ? unchargedCostAt(meterReading()) : carried_;
}

double BurstClock::unchargedSeconds(const Rank &rank) const {
  double cost = unchargedCost();
  return pendingSeconds_ + (cost > 0 ? cost * flopsPerCost() / targetSpeed(rank) : 0);
}

void BurstClock::changeRate(double costPerReading, double memoryShare) {
  const double reading = meterReading();
  if (volumeSink) [[unlikely]] {
    tell(*currentRank(), reading);
    toldMetered_ = 0;
  }
  const double cost = std::max(0.0, metered(reading)) * costPerReading_;
  carried_ += cost;
  noteMemory(cost, memoryShare_);
  thread_.startedAt = reading;
  thread_.own = 0;
  costPerReading_ = costPerReading;
  memoryShare_ = memoryShare;
}

/// What pages and the core's slowness took of the computation, up to \p reading.
void BurstClock::takeOutHost(double reading) {
  takeOutPages(*this, reading);
  takeOut(simulation()->cores.stretch(metered(reading)));
}

/// The same at the end of a stretch.
void BurstClock::takeOutHostAtEnd(const Rank &rank, double reading) {
  takeOutPages(*this, reading);
  CoreSpeed &cores = simulation()->cores;
  if (cores.enabled())
    takeOut(cores.end(metered(reading), countedInstructions(), skipped_ == 0));
  if (EqualWork &equal = simulation()->equalWork; equal.enabled()) {
    const double took = metered(reading);
    takeOut(took - equal.charge(rank.number, countedInstructions(), took));
  }
}

/// A date that is given out in the midst of a computation is one that this will not fall behind.
void BurstClock::takeOutHostSoFar(const Rank &rank) {
  if (!inProgram() || &rank != currentRank() || !simulation() || !computationCosts())
    return;
  const double reading = meterReading();
  takeOutHost(reading);
  simulation()->equalWork.gaveOut(metered(reading));
}

/// The computation that has just ended becomes simulated time.
[[gnu::noinline]] void BurstClock::chargeComputation(Rank &rank) {
  if (computationCosts()) {
    const double reading = meterReading();
    simulation()->cores.look(readCycles());
    takeOutHostAtEnd(rank, reading);
    if (bursts_)
      skipped_ += simulation()->skipping->stretchEnded(*bursts_, metered(reading), skipped_);
    if (volumeSink) [[unlikely]]
      tell(rank, reading);
    noteMemory(std::max(0.0, metered(reading)) * costPerReading_, memoryShare_);
    carried_ = unchargedCostAt(reading);
    skipped_ = thread_.own = toldSkipped_ = 0;
    playCarried(rank);
  }
  if (pendingSeconds_ > 0) {
    if (volumeSink) [[unlikely]]
      volumeSink->readClock(rank, readings_);
    sleepPending();
  }
}

/// What has been computed takes simulated time, if it is enough: whether the present fiber is to be
/// parked until it is over, when it is woken.
inline bool BurstClock::startCarried(Rank &rank) {
  if (carried_ <= 0)
    return false;
  const Settings &given = settings();
  const World &present = world();
  const double speed = present.platform.hosts()[rank.host].speedFlops;
  if (!reachesThreshold(carried_, speed, given))
    return false;
  if (volumeSink) [[unlikely]]
    volumeSink->played(rank);
  const double flops = carried_ * flopsPerCostOf(given);
  carried_ = 0;
  computedSeconds_ += flops / speed;
  // Of a stretch of several bursts, the mean of those that are known.
  const double share = knownCost_ > 0 ? memoryCost_ / knownCost_ : models::ComputeModel::NotKnown;
  knownCost_ = memoryCost_ = 0;
  present.compute.compute(rank.host, flops, kernel::Engine::waking(*present.engine.current()),
                          share);
  return true;
}

void BurstClock::playCarried(Rank &rank) {
  if (startCarried(rank))
    world().engine.park();
}

void BurstClock::sleepPending() {
  const double pending = pendingSeconds_;
  pendingSeconds_ = 0;
  readings_ = 0;
  computedSeconds_ += pending;
  world().engine.sleep(pending);
}

void BurstClock::computeGiven(Rank &rank) { playCarried(rank); }

bool BurstClock::startGiven(Rank &rank) { return startCarried(rank); }

void BurstClock::readGiven(uint32_t readings) {
  for (uint32_t i = 0; i < readings; ++i)
    pendingSeconds_ += settings().wtimeSeconds;
  if (pendingSeconds_ > 0)
    sleepPending();
}

namespace {

/// Of costs that were measured or skipped; \p instructions were counted meanwhile.
Volume volumeOf(double measured, double skipped, double instructions) {
  switch (settings().compute) {
  case ComputeMode::Counted:
    return {measured + skipped, std::numeric_limits<double>::quiet_NaN()};
  case ComputeMode::Measured:
  case ComputeMode::Profile:
    // How many instructions a skipped instance would have had is not known.
    if (!programCounts() || skipped > 0)
      instructions = std::numeric_limits<double>::quiet_NaN();
    return {instructions, measured + skipped};
  case ComputeMode::None:
    break;
  }
  return {};
}

/// How much of the meter and of what was skipped has been told, and what is more now.
struct Untold {
  double metered, skipped;

  Untold(double meteredSoFar, double skippedSoFar, double &toldMetered, double &toldSkipped)
      : metered(std::max(0.0, meteredSoFar) - toldMetered), skipped(skippedSoFar - toldSkipped) {
    toldMetered += metered;
    toldSkipped = skippedSoFar;
  }
};

} // namespace

void BurstClock::goLongWay(const Rank &rank) {
  CountedStretch &stretch = countedStretch;
  if (stretch.isLongWay())
    return;
  stretch.recent = nullptr;
  if (stretch.instance) [[unlikely]]
    return openInstance(rank);
  stretch.instance = &CountedStretch::longWay;
  toldMetered_ = static_cast<double>(stretch.told - stretch.begun);
}

/// An instance runs: the code before it has been told then, and what follows is of its part.
void BurstClock::openInstance(const Rank &rank) {
  CountedStretch &stretch = countedStretch;
  gnomon_burst &record = *std::exchange(stretch.instance, &CountedStretch::longWay);
  const int64_t beginning = stretch.beginning();
  tally_->addInstructions(part_, static_cast<double>(beginning - stretch.told));
  toldMetered_ = static_cast<double>(beginning - stretch.begun);
  part_ = simulation()->skipping->openInstance(rank, record, stretch.frame);
}

bool BurstClock::leaveLongWay() {
  CountedStretch &stretch = countedStretch;
  if (!tally_ || part_ != 0 || skipped_ != toldSkipped_ || !onlyCounter)
    return false;
  stretch.told = stretch.begun + static_cast<int64_t>(toldMetered_);
  return true;
}

void BurstClock::tellInstance(uint32_t part, double between, double inside) {
  CountedStretch &stretch = countedStretch;
  tally_->addInstructions(0, between);
  tally_->addInstructions(part, inside);
  stretch.between = tally_->instructionsOf(0);
  stretch.inside = tally_->instructionsOf(part);
}

/// To whoever records the run: what has been computed since it was told last. Each call of such a run comes here.
inline void BurstClock::tell(const Rank &rank, double reading) {
  goLongWay(rank);
  const Untold untold(metered(reading), skipped_, toldMetered_, toldSkipped_);
  const double cost = untold.metered * costPerReading_;
  if (tally_) [[likely]]
    return tally_->addInstructions(part_, cost + untold.skipped);
  VolumeTally &tally = volumeSink->tally(rank.number);
  if (volumesAreCounted) {
    tally_ = &tally;
    return tally.addInstructions(part_, cost + untold.skipped);
  }
  const uint64_t counted = countedInstructions();
  tally.add(part_, volumeOf(cost, untold.skipped,
                            static_cast<double>(counted) - static_cast<double>(toldInstructions_)));
  toldInstructions_ = counted;
}

/// Both ends of each burst come here. Where one counter tells all, nothing is kept on the stack: other ways are apart.
bool BurstClock::tellFromNowOn(const Rank &rank, uint32_t part, int64_t ahead) {
  if (part == part_)
    return true;
  VolumeTally *const tally = tally_;
  if (!tally) [[unlikely]]
    return tellOther(rank, part, ahead);
  const uint64_t *const counter = onlyCounter;
  if (!counter) [[unlikely]]
    return tellOther(rank, part, ahead);
  const auto reading = static_cast<double>(static_cast<int64_t>(*counter) - ahead);
  const Untold untold(metered(reading), skipped_, toldMetered_, toldSkipped_);
  tally->addInstructions(part_, untold.metered * costPerReading_ + untold.skipped);
  part_ = part;
  return true;
}

[[gnu::noinline]] bool BurstClock::tellOther(const Rank &rank, uint32_t part, int64_t ahead) {
  if (computationCosts()) {
    const double reading = volumesAreCounted ? instructionsSoFar() : meterReading();
    tell(rank, reading - static_cast<double>(ahead));
    part_ = part;
  }
  return true;
}

void BurstClock::tellSkipped(const Rank &rank, uint32_t part, double cost) {
  if (!computationCosts())
    return;
  volumeSink->tally(rank.number).add(part, volumeOf(0, cost, 0));
  toldSkipped_ += cost;
}
/// The program's computation goes on.
[[gnu::noinline]] void BurstClock::beginStretch() {
  thread_.startedAt = meterReading();
  simulation()->pages.leave(thread_.startedAt);
  if (CoreSpeed &cores = simulation()->cores; cores.enabled())
    cores.leave(countedInstructions());
  if (EqualWork &equal = simulation()->equalWork; equal.enabled())
    equal.leave(countedInstructions());
  if (volumeSink) [[unlikely]] {
    toldMetered_ = 0;
    toldInstructions_ = volumesAreCounted ? 0 : countedInstructions();
    if (volumesAreCounted)
      countedStretch.renew(countedInstructions(), entries_);
  }
}

void BurstClock::start() {
  running_ = true;
  thread_.depth = 1;
}

void BurstClock::enter(Rank &rank) {
  if (!running_ || thread_.depth++ > 0)
    return;
  // The runtime's arithmetic neither traps where the program asked for traps nor leaves its flags
  // behind.
  thread_.floatControl = _mm_getcsr();
  if ((thread_.floatControl & ~FloatFlags) != DefaultFloatControl) [[unlikely]]
    _mm_setcsr(DefaultFloatControl);
  heartbeat.store(heartbeat.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  computingRank.store(-1, std::memory_order_relaxed);
  ++entries_;
  if (computationCosts() || pendingSeconds_ > 0)
    chargeComputation(rank);
  if (stateWanted.load(std::memory_order_relaxed)) [[unlikely]]
    printState();
}

bool BurstClock::leave(const Rank &rank) {
  if (!running_)
    return false;
  CHECK(thread_.depth > 0, "leaveRuntime after enterRuntime");
  if (--thread_.depth > 0)
    return false;
  computingRank.store(rank.number, std::memory_order_relaxed);
  if (computationCosts())
    beginStretch();
  _mm_setcsr(thread_.floatControl);
  return true;
}

SimTime BurstClock::date(const Rank &rank) {
  SimTime now = world().engine.now();
  if (running_) {
    takeOutHostSoFar(rank);
    now = now + unchargedSeconds(rank);
    // A line's date never runs ahead of a clock that the program has read, nor behind.
    lastReading_ = now.seconds = std::max(now.seconds, lastReading_);
  }
  return now;
}

double BurstClock::read(const Rank &rank) {
  if (!running_)
    return world().engine.now().seconds;
  takeOutHostSoFar(rank);
  pendingSeconds_ += simulation() ? settings().wtimeSeconds : 0;
  ++readings_;
  double reading = world().engine.now().seconds + unchargedSeconds(rank);
  lastReading_ = std::max(lastReading_, reading);
  return lastReading_;
}

double BurstClock::computedSeconds(const Rank &rank) const {
  return running_ ? computedSeconds_ + unchargedSeconds(rank) : 0;
}

void enterRuntime(Rank &rank) { rank.burst.enter(rank); }

void leaveRuntime(Rank &rank) {
  if (!rank.burst.leave(rank))
    return;
  if (rank.modulesConstructed != modulesLoaded) [[unlikely]]
    runConstructors(rank); // at the rank's start, or when another rank has loaded a library
  if (rank.alarmPending) [[unlikely]] {
    rank.alarmPending = false;
    deliverSignal(rank, SIGALRM);
  }
  if (clearsDeadFrames) [[unlikely]] {
    clearsDeadFrames = false;
    clearDeadFrames();
  }
}

SimTime dateOf(Rank &rank) {
  KeepFloatFlags keep;
  return rank.burst.date(rank);
}

double readClock(Rank &rank) {
  KeepFloatFlags keep;
  return rank.burst.read(rank);
}

double computedSeconds(Rank &rank) { return rank.burst.computedSeconds(rank); }

double wallSeconds() { return readReal(CLOCK_MONOTONIC); }

double processCpuSeconds() { return readReal(CLOCK_PROCESS_CPUTIME_ID); }

} // namespace gnomon::process
