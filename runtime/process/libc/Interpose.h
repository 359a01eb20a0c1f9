// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What every file of this room starts with.
#pragma once

#include "process/image/Real.h"
#include "process/ranks/Simulation.h"

/// On the definition of a function that libgnomon exports; its name stands in Interposed.def.
#define GNOMON_INTERPOSE extern "C" __attribute__((visibility("default"), used))

namespace gnomon::process {

/// The rank whose code calls; null when the call is the process's own.
inline Rank *callingRank() {
  Rank *rank = currentRank();
  return rank && rank->libc ? rank : nullptr;
}

inline bool alone() { return world().ranks.size() == 1; }

/// Everything that the ranks have written so far reaches the real descriptors: before a child
/// process writes there.
void flushBeforeChild(Rank &rank);

/// `rank 3 called fork(): text`, once per \p what.
void warnOnce(const Rank &rank, const char *what, const char *text);

/// Simulated seconds until the rank's alarm; infinite when there is none.
double secondsUntilAlarm(const Rank &rank);

/// Whether the rank has an alarm that is due at \p date; it is taken away, and the caller delivers it.
bool takeDueAlarm(Rank &rank, SimTime date);

/// The rank spends \p seconds of simulated time doing nothing, in the call \p function, or less
/// when its alarm rings before. Returns the seconds that were left then; 0 when none.
double simulateSleep(Rank &rank, double seconds, const char *function, const void *returnAddress);

} // namespace gnomon::process
