// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signals: those that end the run with a report, and those that a rank gets.
#pragma once

#include <csignal>
#include <string>

namespace gnomon::kernel {
class Fiber;
}

namespace gnomon::process {

class Rank;

/// The end of a run in which \p rank has left the stack of its \p fiber: found later, not where it
/// happened.
[[noreturn]] void reportOverflow(const Rank &rank, const kernel::Fiber &fiber);

void installCrashHandlers();
/// The rank's own action for \p signal.
const struct sigaction *rankAction(const Rank &rank, int signal);
/// Delivers \p signal to \p rank now: its handler, or the signal's default action.
void deliverSignal(Rank &rank, int signal);
/// "at 1.25 s, rank 3" or the like, for messages.
std::string whereNow();
/// The same of \p rank; null: none.
std::string whereIs(const Rank *rank);
/// From now on, or no more: when the simulator itself finds no memory, the run ends with a message.
void watchMemory(bool on);

/// Prints where \p rank is and why the run ends, and ends it with \p code. In a signal handler.
[[noreturn]] void stopInHandler(const std::string &reason, int code, void *context);

} // namespace gnomon::process
