// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/BurstClock.h"

#include "process/Internal.h"
#include "process/Modules.h"
#include "process/Real.h"
#include "process/burst/Bursts.h"
#include "support/Check.h"

#include <algorithm>
#include <ctime>
#include <immintrin.h>
#include <sys/resource.h>
#include <sys/time.h>

namespace gnomon::process {
namespace {

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

/// Eight independent chains, so that the adder's latency does not hide its throughput.
double runKernel(double start, int rounds) {
  double x[8];
  for (int i = 0; i < 8; ++i)
    x[i] = start + i;
  for (int r = 0; r < rounds; ++r)
    for (double &value : x)
      value = value * 0.999999 + 1e-6;
  double sum = 0;
  for (double value : x)
    sum += value;
  return sum;
}

double calibrate() {
  constexpr int Rounds = 200000;
  constexpr double Flops = 16.0 * Rounds;
  static volatile double keep = 1;
  double best = 1e30;
  double total = 0;
  for (int i = 0; i < 20 && total < 0.03; ++i) {
    double begin = threadCpuSeconds();
    keep = runKernel(keep, Rounds);
    double took = threadCpuSeconds() - begin;
    best = std::min(best, took);
    total += took;
  }
  return Flops / std::max(best, 1e-9);
}

double hostSpeed() {
  double given = settings().hostSpeedFlops;
  return given > 0 ? given : measuredHostSpeed();
}

double targetSpeed(const Rank &rank) { return world().platform.hosts()[rank.host].speedFlops; }

/// CPU cost of the running computation and what stands behind it, not yet charged.
double unchargedCostAt(const BurstClock &clock, double reading) {
  double running = std::max(0.0, reading - clock.startedAt - clock.own);
  return clock.carried + clock.skipped + running * clock.costPerReading;
}

double unchargedCost(const BurstClock &clock) {
  if (!computationCosts())
    return 0;
  return clock.depth == 0 ? unchargedCostAt(clock, meterReading()) : clock.carried;
}

double unchargedSeconds(const Rank &rank, const BurstClock &clock) {
  double cost = unchargedCost(clock);
  return clock.pendingSeconds + (cost > 0 ? cost * flopsPerCost() / targetSpeed(rank) : 0);
}

/// The threshold of SMPI is one of this machine's CPU seconds.
bool reachesThreshold(const Rank &rank, double cost) {
  if (settings().compute == ComputeMode::Counted)
    cost *= flopsPerCost() / targetSpeed(rank);
  return cost >= settings().cpuThresholdSeconds;
}

void play(Rank &rank, double flops) {
  auto wake = [](void *fiber, uint64_t) {
    world().engine.wake(*static_cast<kernel::Fiber *>(fiber));
  };
  kernel::Engine &engine = world().engine;
  world().compute.compute(rank.host, flops, {wake, engine.current(), 0});
  engine.park();
}

/// The computation that has just ended becomes simulated time.
void charge(Rank &rank, BurstClock &clock) {
  if (computationCosts()) {
    const double reading = meterReading();
    if (clock.bursts)
      burst::bursts()->stretchEnded(clock, reading);
    clock.carried = unchargedCostAt(clock, reading);
    clock.skipped = clock.own = 0;
    if (clock.carried > 0 && reachesThreshold(rank, clock.carried)) {
      double flops = clock.carried * flopsPerCost();
      clock.carried = 0;
      clock.computedSeconds += flops / targetSpeed(rank);
      play(rank, flops);
    }
  }
  if (clock.pendingSeconds > 0) {
    double pending = clock.pendingSeconds;
    clock.pendingSeconds = 0;
    clock.computedSeconds += pending;
    world().engine.sleep(pending);
  }
}

} // namespace

bool computationCosts() { return simulation() && settings().compute != ComputeMode::None; }

double meterReading() {
  if (!computationCosts())
    return 0;
  if (settings().compute == ComputeMode::Measured)
    return threadCpuSeconds();
  return static_cast<double>(countedInstructions());
}

double flopsPerCost() {
  return settings().compute == ComputeMode::Counted ? settings().flopsPerInstruction : hostSpeed();
}

void changeRate(BurstClock &clock, double costPerReading) {
  const double reading = meterReading();
  clock.carried += std::max(0.0, reading - clock.startedAt - clock.own) * clock.costPerReading;
  clock.startedAt = reading;
  clock.own = 0;
  clock.costPerReading = costPerReading;
}

double threadCpuSeconds() { return readReal(CLOCK_THREAD_CPUTIME_ID); }

double measuredHostSpeed() {
  static const double speed = calibrate();
  return speed;
}

void enterRuntime(Rank &rank) {
  BurstClock *clock = &rank.burst;
  if (!clock->running || clock->depth++ > 0)
    return;
  // The runtime's arithmetic neither traps where the program asked for traps nor leaves its flags
  // behind.
  clock->floatControl = _mm_getcsr();
  if ((clock->floatControl & ~FloatFlags) != DefaultFloatControl) [[unlikely]]
    _mm_setcsr(DefaultFloatControl);
  heartbeat.store(heartbeat.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  computingRank.store(-1, std::memory_order_relaxed);
  ++clock->entries;
  charge(rank, *clock);
  if (stateWanted.load(std::memory_order_relaxed)) [[unlikely]]
    printState();
}

void leaveRuntime(Rank &rank) {
  BurstClock *clock = &rank.burst;
  if (!clock->running)
    return;
  CHECK(clock->depth > 0, "leaveRuntime after enterRuntime");
  if (--clock->depth > 0)
    return;
  computingRank.store(rank.number, std::memory_order_relaxed);
  clock->startedAt = meterReading();
  _mm_setcsr(clock->floatControl);
  if (rank.modulesConstructed != modulesLoaded) [[unlikely]]
    runConstructors(rank); // at the rank's start, or when another rank has loaded a library
  if (rank.alarmPending) [[unlikely]] {
    rank.alarmPending = false;
    deliverSignal(rank, SIGALRM);
  }
}

SimTime dateOf(Rank &rank) {
  KeepFloatFlags keep;
  SimTime now = world().engine.now();
  if (BurstClock &clock = rank.burst; clock.running) {
    now = now + unchargedSeconds(rank, clock);
    // A line's date never runs ahead of a clock that the program has read, nor behind.
    clock.lastReading = now.seconds = std::max(now.seconds, clock.lastReading);
  }
  return now;
}

double readClock(Rank &rank) {
  KeepFloatFlags keep;
  BurstClock *clock = &rank.burst;
  if (!clock->running)
    return world().engine.now().seconds;
  clock->pendingSeconds += simulation() ? settings().wtimeSeconds : 0;
  double reading = world().engine.now().seconds + unchargedSeconds(rank, *clock);
  clock->lastReading = std::max(clock->lastReading, reading);
  return clock->lastReading;
}

double computedSeconds(Rank &rank) {
  const BurstClock &clock = rank.burst;
  return clock.running ? clock.computedSeconds + unchargedSeconds(rank, clock) : 0;
}

double wallSeconds() { return readReal(CLOCK_MONOTONIC); }

double processCpuSeconds() { return readReal(CLOCK_PROCESS_CPUTIME_ID); }

uint64_t peakResidentBytes() {
  rusage usage{};
  GNOMON_REAL(getrusage)(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

} // namespace gnomon::process
