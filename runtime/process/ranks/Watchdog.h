// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The thread that sees to it that nothing hangs, and what it watches.
#pragma once

#include <atomic>
#include <cstdint>

namespace gnomon::process {

void startWatchdog();
void stopWatchdog();
/// Counts calls of the runtime; the watchdog watches it stand still.
extern std::atomic<uint64_t> heartbeat;
/// The rank whose own code runs; -1: the runtime. Written by enterRuntime and leaveRuntime, read by
/// the watchdog.
extern std::atomic<int64_t> computingRank;
/// SIGUSR1 came: the next call of the runtime prints the state.
extern std::atomic<bool> stateWanted;
void printState();

} // namespace gnomon::process
