// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Test and MPI_Iprobe cost simulated time, or a loop around them would never let time pass:
///   a poll sleeps n × cost, n - 1 being the number of failed polls in a row of its kind on this
///   rank (SMPI's semantics, keys smpi/test, smpi/iprobe, smpi/grow-injected-times; SMPI counts
///   over all ranks together).
/// Testing several requests costs as much as testing them one after another, but for MPI_Testany,
/// which costs one test. What a rank has paid is added up (RankState::polledSeconds), for the
/// summary to say when polls are what a run's time is made of.
///
/// A loop that waits for what another thread or rank writes polls, too (the pass has put
/// gnomon_spin into it): its n-th turn takes 0.1 us up to n = 64, then 1/64 of the time that it has
/// taken so far, at most 0.1 ms, so that the loop ends at most 1.6 % (or 0.1 us) late; 0.1 us each
/// when smpi/grow-injected-times is off.
///
/// A loop that polls for what can never come is no progress: when IdlePollLimit polls (more with
/// many ranks) have failed without a message, a receive or a completion anywhere, no flow is under
/// way, and every rank (each of its threads) has ended, waits in MPI, or has itself polled in vain
/// many times since, the run ends with exit code 4. This counts simulated events only, so it is
/// deterministic.
#pragma once

#include "mpi/RankState.h"

#include <cstdint>

namespace gnomon::mpi {

inline constexpr uint64_t IdlePollLimit = 1'000'000, IdlePollsPerRank = 10'000;

/// Sleeps for the next poll of a kind of which \p failures have failed in a row, and counts that as
/// time of polls.
void payPoll(RankState &state, double costSeconds, uint64_t failures);
/// What the turn of such a loop takes, \p turns counting from 0.
double spinSeconds(uint64_t turns, bool grows);
/// Counts a failed poll, one more of \p failures; ends the run when nothing can come.
void pollFailed(RankState &state, uint64_t &failures);
void pollFailed(RankState &state);
/// One poll of a kind of which \p failures have failed in a row: pays for it, asks \p found, and
/// counts the failure when that is false. Returns what \p found does.
template <class Found>
bool poll(RankState &state, double costSeconds, uint64_t &failures, const Found &found) {
  payPoll(state, costSeconds, failures);
  if (found()) {
    failures = 0;
    return true;
  }
  pollFailed(state, failures);
  return false;
}
/// One test of one active request. True: it is done.
bool pollRequest(RankState &state, Request &request);
/// A thread has seen what it waited for: the others' polls are not in vain.
void pollSucceeded(RankState &state);

} // namespace gnomon::mpi
