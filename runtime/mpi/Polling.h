// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Test and MPI_Iprobe cost simulated time, or a loop around them would never let time pass:
///   a poll sleeps n × cost, n - 1 being the number of failed polls in a row of its kind on this
///   rank (SMPI's semantics, keys smpi/test, smpi/iprobe, smpi/grow-injected-times; SMPI counts
///   over all ranks together).
/// Testing several requests costs as much as testing them one after another, but for MPI_Testany,
/// which costs one test.
///
/// A loop that polls for what can never come is no progress: when IdlePollLimit polls (more with
/// many ranks) have failed without a message, a receive or a completion anywhere, no flow is under
/// way, and every rank has ended, waits in MPI, or has itself polled in vain many times since, the
/// run ends with exit code 4. This counts simulated events only, so it is deterministic.
#pragma once

#include "mpi/RankState.h"

#include <cstdint>

namespace gnomon::mpi {

inline constexpr uint64_t IdlePollLimit = 1'000'000, IdlePollsPerRank = 10'000;

/// Sleeps for the next poll of a kind of which \p failures have failed in a row.
void payPoll(RankState &state, double costSeconds, uint64_t failures);
/// Counts a failed poll; ends the run when nothing can come.
void pollFailed(RankState &state, uint64_t &failures);

} // namespace gnomon::mpi
