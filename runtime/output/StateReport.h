// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where every rank stands, as text: for a deadlock, a time limit, a signal. One line per rank when
/// few wait; else ranks that wait in the same call at the same place are put together, with the
/// first and the last of them.
#pragma once

#include "process/ranks/Rank.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnomon::output {

/// "gnomon: deadlock at 1.25 s: …", the ranks, and a cycle of ranks that wait for each other when
/// there is one.
std::string deadlockReport(const process::World &world);

/// The ranks alone; for process::setStateReporter.
std::string stateReport(const process::World &world);

/// A cycle of ranks each of which waits for the next and for no other; empty when there is none.
/// Ranks that wait for any of several are not followed.
std::vector<uint32_t> findCycle(const process::World &world);

} // namespace gnomon::output
