// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Waiting takes simulated time only.
#include "process/libc/Thread.h"
#include "process/ranks/VolumeSink.h"
#include "process/ranks/Watchdog.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <threads.h>
#include <unistd.h>

namespace gnomon::process {

double clockSeconds(Rank &rank, int clock);

double simulateSleep(Rank &rank, double seconds, const char *function, const void *returnAddress) {
  bool outer = !rank.call.function;
  if (outer)
    rank.call = {function, returnAddress};
  enterRuntime(rank);
  if (outer)
    countWait();
  if (volumeSink) [[unlikely]]
    volumeSink->sleeps(rank, std::max(0.0, std::min(seconds, secondsUntilAlarm(rank))));
  // The alarm's event was scheduled before this one, so it has happened when the rank goes on.
  double untilAlarm = secondsUntilAlarm(rank);
  world().engine.sleep(std::max(0.0, std::min(seconds, untilAlarm)));
  if (outer)
    rank.call = {};
  leaveRuntime(rank); // delivers the alarm
  return untilAlarm < seconds ? seconds - untilAlarm : 0;
}

namespace {

bool badDuration(const timespec &time) {
  return time.tv_sec < 0 || time.tv_nsec < 0 || time.tv_nsec > 999'999'999;
}

double seconds(const timespec &time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

timespec timespecOf(double seconds) {
  auto whole = static_cast<time_t>(seconds);
  return {whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
}

/// What the sleeping functions do when a signal ended the sleep: true, errno set, the rest told.
bool interrupted(double left, timespec *remaining) {
  if (left <= 0)
    return false;
  if (remaining)
    *remaining = timespecOf(left);
  errno = EINTR;
  return true;
}

/// A wait that nothing can end.
void waitForEver(Rank &rank, const char *function, const void *returnAddress) {
  rank.call = {function, returnAddress};
  enterRuntime(rank);
  rank.describeWait = [](const Rank &, const void *) { return std::string("waits for ever"); };
  world().engine.park();
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE unsigned sleep(unsigned duration) {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(sleep)(duration);
  double left = simulateSleep(*rank, duration, "sleep", __builtin_return_address(0));
  return static_cast<unsigned>(std::lround(left)); // as glibc rounds it
}

GNOMON_INTERPOSE int usleep(useconds_t microseconds) {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(usleep)(microseconds);
  double left = simulateSleep(*rank, 1e-6 * microseconds, "usleep", __builtin_return_address(0));
  return interrupted(left, nullptr) ? -1 : 0;
}

GNOMON_INTERPOSE int nanosleep(const timespec *duration, timespec *remaining) {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(nanosleep)(duration, remaining);
  if (badDuration(*duration)) {
    errno = EINVAL;
    return -1;
  }
  double left = simulateSleep(*rank, seconds(*duration), "nanosleep", __builtin_return_address(0));
  return interrupted(left, remaining) ? -1 : 0;
}

GNOMON_INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const timespec *time,
                                     timespec *remaining) {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(clock_nanosleep)(clock, flags, time, remaining);
  if (badDuration(*time))
    return EINVAL;
  double duration = seconds(*time);
  if (flags & TIMER_ABSTIME)
    duration -= clockSeconds(*rank, clock);
  double left = simulateSleep(*rank, duration, "clock_nanosleep", __builtin_return_address(0));
  bool absolute = flags & TIMER_ABSTIME;
  int before = errno; // this function returns its error
  bool ended = interrupted(left, absolute ? nullptr : remaining);
  errno = before;
  return ended ? EINTR : 0;
}

GNOMON_INTERPOSE int thrd_sleep(const timespec *duration, timespec *remaining) {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(thrd_sleep)(duration, remaining);
  if (badDuration(*duration))
    return -2;
  double left = simulateSleep(*rank, seconds(*duration), "thrd_sleep", __builtin_return_address(0));
  return interrupted(left, remaining) ? -1 : 0;
}

GNOMON_INTERPOSE int select(int count, fd_set *readSet, fd_set *writeSet, fd_set *exceptSet,
                            timeval *timeout) {
  Rank *rank = callingRank();
  bool noDescriptors = count == 0 || (!readSet && !writeSet && !exceptSet);
  if (!rank || !noDescriptors)
    return GNOMON_REAL(select)(count, readSet, writeSet, exceptSet, timeout);
  const void *caller = __builtin_return_address(0);
  if (!timeout)
    waitForEver(*rank, "select", caller);
  simulateSleep(*rank,
                static_cast<double>(timeout->tv_sec) + 1e-6 * static_cast<double>(timeout->tv_usec),
                "select", caller);
  *timeout = {}; // as Linux does
  return 0;
}

GNOMON_INTERPOSE int pselect(int count, fd_set *readSet, fd_set *writeSet, fd_set *exceptSet,
                             const timespec *timeout, const sigset_t *mask) {
  Rank *rank = callingRank();
  bool noDescriptors = count == 0 || (!readSet && !writeSet && !exceptSet);
  if (!rank || !noDescriptors)
    return GNOMON_REAL(pselect)(count, readSet, writeSet, exceptSet, timeout, mask);
  const void *caller = __builtin_return_address(0);
  if (!timeout)
    waitForEver(*rank, "pselect", caller);
  simulateSleep(*rank, seconds(*timeout), "pselect", caller);
  return 0;
}

GNOMON_INTERPOSE int poll(pollfd *descriptors, nfds_t count, int milliseconds) {
  Rank *rank = callingRank();
  if (!rank || count > 0)
    return GNOMON_REAL(poll)(descriptors, count, milliseconds);
  const void *caller = __builtin_return_address(0);
  if (milliseconds < 0)
    waitForEver(*rank, "poll", caller);
  simulateSleep(*rank, 1e-3 * milliseconds, "poll", caller);
  return 0;
}

GNOMON_INTERPOSE int ppoll(pollfd *descriptors, nfds_t count, const timespec *timeout,
                           const sigset_t *mask) {
  Rank *rank = callingRank();
  if (!rank || count > 0)
    return GNOMON_REAL(ppoll)(descriptors, count, timeout, mask);
  const void *caller = __builtin_return_address(0);
  if (!timeout)
    waitForEver(*rank, "ppoll", caller);
  simulateSleep(*rank, seconds(*timeout), "ppoll", caller);
  return 0;
}

// What _FORTIFY_SOURCE makes of poll.
extern "C" int __poll_chk(pollfd *descriptors, nfds_t count, int milliseconds, size_t size);
GNOMON_INTERPOSE int __poll_chk(pollfd *descriptors, nfds_t count, int milliseconds, size_t size) {
  return count == 0 ? poll(descriptors, count, milliseconds)
                    : GNOMON_REAL(__poll_chk)(descriptors, count, milliseconds, size);
}

// A loop that yields until something happens must see time pass.
GNOMON_INTERPOSE int sched_yield() noexcept {
  Rank *rank = callingRank();
  if (!rank)
    return GNOMON_REAL(sched_yield)();
  if (threadedRank())
    letOthersRun(*rank, "sched_yield", __builtin_return_address(0));
  else
    readClock(*rank);
  return 0;
}
