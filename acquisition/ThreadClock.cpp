// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ThreadClock.h"

#include <algorithm>
#include <ctime>

namespace gnomon::acquisition {

namespace {

double secondsOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

} // namespace

double ThreadClock::read() {
  const double now = secondsOf(CLOCK_MONOTONIC);
  const bool isTrusted = monotonicThen_ >= 0 && now - monotonicThen_ < Trust;
  if (isTrusted && now - monotonic_ < LongestGap) {
    seconds_ += now - monotonic_;
    monotonic_ = now;
    return seconds_;
  }
  const double thread = secondsOf(CLOCK_THREAD_CPUTIME_ID);
  seconds_ += std::max(0.0, (thread - thread_) - (seconds_ - secondsThen_));
  thread_ = thread;
  secondsThen_ = seconds_;
  // What the thread's clock itself took is in it, and must not be counted again.
  monotonic_ = monotonicThen_ = secondsOf(CLOCK_MONOTONIC);
  return seconds_;
}

} // namespace gnomon::acquisition
