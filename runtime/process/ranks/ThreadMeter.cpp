// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/ThreadMeter.h"

#include "process/ranks/BurstClock.h"
#include "process/ranks/CycleClock.h"

#include <algorithm>

namespace gnomon::process {

double ThreadMeter::read() {
  const uint64_t now = readCycles();
  const double gap = cycleSeconds(ticks_, now);
  if (!set_ || gap >= LongestGap) {
    countByThreadClock();
  } else {
    seconds_ += std::max(0.0, gap - cycleReadingSeconds());
    ticks_ = now;
    if (cycleSeconds(ticksThen_, now) >= Trust) [[unlikely]]
      readThreadClock();
  }
  return seconds_;
}

/// From reading to reading of the thread's clock one whole reading of it passes, which is not counted.
void ThreadMeter::countByThreadClock() {
  const double begin = clock_ - secondsThen_;
  const bool first = !set_;
  readThreadClock();
  if (!first)
    seconds_ = std::max(seconds_, clock_ - begin - threadClockReadingSeconds());
  secondsThen_ = seconds_;
}

void ThreadMeter::readThreadClock() {
  if (!set_) {
    calibrateCycles();
    threadClockReadingSeconds();
    set_ = true;
  }
  clock_ = threadCpuSeconds();
  secondsThen_ = seconds_;
  ticks_ = ticksThen_ = readCycles();
}

} // namespace gnomon::process
