// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signals: those that end the run with a report, and those that a rank gets.
#pragma once

#include <csignal>
#include <string>

namespace gnomon::process {

class Rank;

void installCrashHandlers();
/// The rank's own action for \p signal.
const struct sigaction *rankAction(const Rank &rank, int signal);
/// Delivers \p signal to \p rank now: its handler, or the signal's default action.
void deliverSignal(Rank &rank, int signal);
/// "at 1.25 s, rank 3" or the like, for messages.
std::string whereNow();

/// Prints where \p rank is and why the run ends, and ends it with \p code. In a signal handler.
[[noreturn]] void stopInHandler(const std::string &reason, int code, void *context);

} // namespace gnomon::process
