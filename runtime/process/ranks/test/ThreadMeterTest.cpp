// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/ranks/ThreadMeter.h"

#include "Fakes.h"

#include "process/ranks/CycleClock.h"

#include <gtest/gtest.h>

using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

/// The thread's clock, whose readings take half a microsecond, and the counter, whose readings take
/// nothing. They go together, but for what another thread takes.
struct TwoClocks {
  static inline uint64_t ticks;
  static inline int readings; ///< of the thread's clock

  TwoClocks() {
    ticks = 0;
    FakeThreadClock::seconds = 0;
    setCycleCounterForTest([] { return ticks; }, 1e-9);
    setThreadClockForTest([] {
      ++readings;
      pass(500);
      return FakeThreadClock::seconds;
    });
    ThreadMeter().read(); // measures what a reading takes
    readings = 0;
  }
  ~TwoClocks() {
    setCycleCounterForTest(nullptr, 0);
    setThreadClockForTest(nullptr);
  }
  static void pass(uint64_t nanoseconds) {
    FakeThreadClock::seconds += 1e-9 * static_cast<double>(nanoseconds);
    ticks += nanoseconds;
  }
  static void lose(uint64_t nanoseconds) { ticks += nanoseconds; }
};

/// What the meter says of \p nanoseconds, which \p work lets pass.
template <typename Work> double metered(ThreadMeter &meter, Work work) {
  const double begin = meter.read();
  work();
  return meter.read() - begin;
}

// Intent: short stretches take no system call but one a millisecond, and none of them is lost.
TEST(ThreadMeter, ShortStretchesAreTimedByTheCounter) {
  const TwoClocks clocks;
  ThreadMeter meter;
  double sum = 0;
  for (int i = 0; i < 100'000; ++i)
    sum += metered(meter, [] { TwoClocks::pass(50); });
  EXPECT_NEAR(sum, 100'000 * 50e-9, 1e-9);
  EXPECT_LE(TwoClocks::readings, 7);
}

// Intent: long stretches are timed by the thread's clock, without what it takes to read it.
TEST(ThreadMeter, LongStretchesAreTimedByTheThreadsClock) {
  const TwoClocks clocks;
  ThreadMeter meter;
  for (int i = 0; i < 100; ++i)
    EXPECT_NEAR(metered(meter, [] { TwoClocks::pass(30'000); }), 30e-6, 1e-12);
}

// Intent: while another thread has the core nothing passes, wherever that begins.
TEST(ThreadMeter, ALostCoreIsNotCounted) {
  const TwoClocks clocks;
  ThreadMeter meter;
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    sum += metered(meter, [i] {
      TwoClocks::pass(100);
      if (i % 10 == 0)
        TwoClocks::lose(3'000'000);
      TwoClocks::pass(100);
    });
    TwoClocks::pass(5);
    if (i % 10 == 5)
      TwoClocks::lose(700'000);
  }
  EXPECT_NEAR(sum, 1000 * 200e-9, 1e-9);
}

// Intent: what the counter ran ahead is nobody else's loss: the meter neither goes back nor stops.
TEST(ThreadMeter, NeverDecreases) {
  const TwoClocks clocks;
  ThreadMeter meter;
  double last = meter.read();
  for (int i = 0; i < 10'000; ++i) {
    TwoClocks::pass(900);
    TwoClocks::lose(100); // less than can be told from computation
    const double now = meter.read();
    EXPECT_NEAR(now - last, 1e-6, 101e-9);
    last = now;
  }
}

} // namespace
