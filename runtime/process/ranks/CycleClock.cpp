// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/CycleClock.h"

#include "process/ranks/World.h"

#include <algorithm>
#include <cpuid.h>
#include <x86intrin.h>

namespace gnomon::process {
namespace {

/// What a test has in place of the counter.
struct Substitute {
  uint64_t (*counter)() = nullptr;
  double secondsPerTick = 0;
};
Substitute substitute;

struct Calibration {
  bool invariant = false;
  double secondsPerTick = 1e-9;
  double readingSeconds = 0;
};

/// CPUID 8000_0007h, EDX bit 8: the counter's rate does not depend on the core's state.
bool invariantCounter() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
}

/// Against the monotonic clock over a millisecond: the error of a clock's reading, some 50 ns, is
/// then 1e-4. The best of three, because a lost core between the two readings shows as a slow
/// counter.
double measureTick() {
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    const double begin = wallSeconds();
    const uint64_t first = __rdtsc();
    double now = begin;
    uint64_t last = first;
    while (now - begin < 4e-4) {
      last = __rdtsc();
      now = wallSeconds();
    }
    const double tick = (now - begin) / static_cast<double>(last - first);
    best = round == 0 ? tick : std::min(best, tick);
  }
  return best;
}

Calibration calibrate() {
  Calibration result;
  result.invariant = invariantCounter();
  if (result.invariant)
    result.secondsPerTick = measureTick();
  return result;
}

Calibration &calibration() {
  static Calibration result = calibrate();
  return result;
}

/// The median would be as good; the least is what a reading takes when nothing disturbs.
double measureReading() {
  uint64_t least = ~uint64_t{0};
  for (int i = 0; i < 200; ++i) {
    const uint64_t begin = readCycles();
    least = std::min(least, readCycles() - begin);
  }
  return cycleSeconds(0, least);
}

} // namespace

void calibrateCycles() {
  if (substitute.counter)
    return;
  Calibration &result = calibration();
  if (result.readingSeconds == 0)
    result.readingSeconds = measureReading();
}

uint64_t readCycles() {
  if (substitute.counter) [[unlikely]]
    return substitute.counter();
  if (calibration().invariant) [[likely]]
    return __rdtsc();
  return static_cast<uint64_t>(wallSeconds() * 1e9);
}

double cycleSeconds(uint64_t begin, uint64_t end) {
  const double tick = substitute.counter ? substitute.secondsPerTick : calibration().secondsPerTick;
  return static_cast<double>(end - begin) * tick;
}

double cycleReadingSeconds() { return substitute.counter ? 0 : calibration().readingSeconds; }

void setCycleCounterForTest(uint64_t (*counter)(), double secondsPerTick) {
  substitute = {counter, secondsPerTick};
}

} // namespace gnomon::process
