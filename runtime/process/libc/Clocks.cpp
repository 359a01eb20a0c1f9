// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Every clock that a program can read, in simulated time. The time of day is the real one at the
/// start plus simulated time; monotonic clocks count from the start; CPU clocks are the simulated
/// time that the rank computed.
#include "process/libc/Interpose.h"
#include "process/ranks/Crash.h"

#include <cerrno>
#include <cmath>
#include <ctime>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <unistd.h>

namespace gnomon::process {
namespace {

constexpr int64_t Second = 1'000'000'000;

int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

/// An alarm that comes due while the rank polls a clock is delivered here: nothing else would
/// interrupt it.
void deliverDueAlarm(Rank &rank, double reading) {
  if (takeDueAlarm(rank, {reading}))
    deliverSignal(rank, SIGALRM);
}

int64_t sinceStart(Rank &rank) {
  double reading = readClock(rank);
  deliverDueAlarm(rank, reading);
  return nanoseconds(reading);
}

int64_t timeOfDay(Rank &rank) { return simulation()->epochNanoseconds + sinceStart(rank); }

int64_t computed(Rank &rank) {
  readClock(rank); // what a reading costs, so that polling ends
  return nanoseconds(computedSeconds(rank));
}

timespec toTimespec(int64_t time) { return {time / Second, time % Second}; }
timeval toTimeval(int64_t time) { return {time / Second, time % Second / 1000}; }

int64_t readingOf(Rank &rank, clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI:
    return timeOfDay(rank);
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM:
    return sinceStart(rank);
  default: // CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID and those of other threads
    return computed(rank);
  }
}

bool badClock(clockid_t clock) { return clock > CLOCK_TAI; }

} // namespace

double clockSeconds(Rank &rank, int clock) {
  return 1e-9 * static_cast<double>(readingOf(rank, static_cast<clockid_t>(clock)));
}

} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int clock_gettime(clockid_t clock, timespec *time) noexcept {
  Rank *rank = callingRank();
  if (!rank || badClock(clock))
    return GNOMON_REAL(clock_gettime)(clock, time);
  *time = toTimespec(readingOf(*rank, clock));
  return 0;
}

GNOMON_INTERPOSE int clock_getres(clockid_t clock, timespec *resolution) noexcept {
  if (!callingRank() || badClock(clock))
    return GNOMON_REAL(clock_getres)(clock, resolution);
  if (resolution)
    *resolution = {0, 1};
  return 0;
}

GNOMON_INTERPOSE int timespec_get(timespec *time, int base) noexcept {
  Rank *rank = callingRank();
  if (!rank || base != TIME_UTC)
    return GNOMON_REAL(timespec_get)(time, base);
  *time = toTimespec(timeOfDay(*rank));
  return base;
}

GNOMON_INTERPOSE int gettimeofday(timeval *time, void *zone) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(gettimeofday)(time, zone);
  if (zone)
    GNOMON_REAL(gettimeofday)(nullptr, zone);
  *time = toTimeval(timeOfDay(*rank));
  return 0;
}

GNOMON_INTERPOSE time_t time(time_t *result) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(time)(result);
  time_t now = timeOfDay(*rank) / Second;
  if (result)
    *result = now;
  return now;
}

GNOMON_INTERPOSE int ftime(timeb *time) {
  Rank *rank = callingRank();
  timespec now{};
  if (rank)
    now = toTimespec(timeOfDay(*rank));
  else
    GNOMON_REAL(clock_gettime)(CLOCK_REALTIME, &now);
  *time = {};
  time->time = now.tv_sec;
  time->millitm = static_cast<unsigned short>(now.tv_nsec / 1000000);
  return 0;
}

GNOMON_INTERPOSE clock_t clock() noexcept {
  Rank *rank = callingRank();
  return rank ? computed(*rank) / (Second / CLOCKS_PER_SEC) : GNOMON_REAL(clock)();
}

GNOMON_INTERPOSE clock_t times(tms *buffer) noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(times)(buffer);
  int64_t tick = Second / sysconf(_SC_CLK_TCK);
  if (buffer) {
    *buffer = {};
    buffer->tms_utime = computed(*rank) / tick;
  }
  return sinceStart(*rank) / tick;
}

GNOMON_INTERPOSE int getrusage(__rusage_who_t who, rusage *usage) noexcept {
  int result = GNOMON_REAL(getrusage)(who, usage);
  Rank *rank = callingRank();
  if (rank && result == 0 && (who == RUSAGE_SELF || who == RUSAGE_THREAD)) {
    usage->ru_utime = toTimeval(computed(*rank));
    usage->ru_stime = {};
  }
  return result;
}

// OpenMP's clocks, whether or not the program links an OpenMP runtime.
extern "C" double omp_get_wtime();
extern "C" double omp_get_wtick();

GNOMON_INTERPOSE double omp_get_wtime() {
  if (Rank *rank = callingRank())
    return clockSeconds(*rank, CLOCK_MONOTONIC);
  auto *real = GNOMON_REAL(omp_get_wtime);
  return real ? real() : wallSeconds();
}

GNOMON_INTERPOSE double omp_get_wtick() { return 1e-9; }
