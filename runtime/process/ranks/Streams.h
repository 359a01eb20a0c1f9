// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// C's and C++'s standard streams as the ranks see them.
#pragma once

#include <cstdio>
#include <string_view>

namespace gnomon::process {

class Rank;
struct Simulation;

void installStreams(Simulation &simulation);
/// The standard streams that a new rank begins with.
void giveStreams(Rank &rank);
void uninstallStreams(Simulation &simulation);
/// The FILE that all ranks share as stdout; null when the streams are the process's own.
extern FILE *sharedOutput;
extern FILE *sharedError;
/// Hands what waits in the shared stdout's buffer to \p rank's lines.
void drainShared(Rank &rank);
/// \p descriptor is 1 or 2.
void appendOutput(Rank &rank, int descriptor, std::string_view text);
/// LibcState::redirected of a descriptor that is as it was at the start.
inline constexpr int NotRedirected = -1;
/// LibcState::redirected of a descriptor that dup2 made a copy of the simulated descriptor \p
/// standard.
inline constexpr int aliasOf(int standard) { return -10 - standard; }
/// Emits what is left of unfinished lines.
void flushLines(Rank &rank);
/// Whether the rank's descriptor \p descriptor (0 to 2) is the simulated one rather than redirected
/// or real.
bool captured(const Rank &rank, int descriptor);

} // namespace gnomon::process
