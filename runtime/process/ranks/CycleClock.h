// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Seconds by the processor's time stamp counter: some ten nanoseconds a reading, where the
/// thread's CPU clock takes a system call. It goes on while another thread has the core: whoever
/// uses it must expect outliers. Where the counter is not invariant, the monotonic clock stands in.
#pragma once

#include <cstdint>

namespace gnomon::process {

/// Finds out how fast the counter goes (about a millisecond). Without it the first reading does.
void calibrateCycles();
/// A reading, and the seconds between two.
uint64_t readCycles();
double cycleSeconds(uint64_t begin, uint64_t end);
/// What a reading itself takes, in seconds: two readings in a row differ by it.
double cycleReadingSeconds();

/// A counter of a test's own, whose readings take nothing; null: the processor's again.
void setCycleCounterForTest(uint64_t (*counter)(), double secondsPerTick);

} // namespace gnomon::process
