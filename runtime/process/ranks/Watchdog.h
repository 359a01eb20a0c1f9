// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The thread that sees to it that nothing hangs, and what it watches.
#pragma once

#include <atomic>
#include <cstdint>

namespace gnomon::process {

void startWatchdog();
void stopWatchdog();
/// Why the run ends with \p code is known, and about to be told: the limits of wall time have
/// nothing to add. Only a telling that does not come to its end is still ended by --timeout.
void beginEnding(int code);
/// Counts calls of the runtime, those that only let simulated time pass apart, in its upper bits; the
/// watchdog watches the others stand still. One variable, so that one reading has both.
extern std::atomic<uint64_t> heartbeat;
inline constexpr uint64_t OneWait = uint64_t{1} << 40;
/// The call of the runtime that has just begun only waits.
inline void countWait() {
  heartbeat.store(heartbeat.load(std::memory_order_relaxed) + OneWait - 1,
                  std::memory_order_relaxed);
}
/// The rank whose own code runs; -1: the runtime. Written by enterRuntime and leaveRuntime, read by
/// the watchdog.
extern std::atomic<int64_t> computingRank;
/// SIGUSR1 came: the next call of the runtime prints the state.
extern std::atomic<bool> stateWanted;
void printState();

} // namespace gnomon::process
