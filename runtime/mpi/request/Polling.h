// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI_Test and MPI_Iprobe cost simulated time, or a loop around them would never let time pass: a
/// poll sleeps what it takes a real MPI (keys smpi/test, smpi/iprobe). A call that tests several
/// requests looks at each but the first in RequestShare of that. A loop that only polls is not
/// played poll by poll: it sleeps until what it polls for is there (PollLoop.h).
///
/// SMPI's rule, where smpi/grow-injected-times says yes: a poll sleeps n × cost, n - 1 being the
/// number of failed polls in a row of its kind on this rank (SMPI counts over all ranks together),
/// and testing several requests costs as much as testing them one after another, but for
/// MPI_Testany, which costs one test. What a rank has paid is added up (RankState::polledSeconds),
/// for the summary to say when polls are what a run's time is made of.
///
/// A loop that waits for what another thread or rank writes polls, too (the pass has put
/// gnomon_spin into it): its n-th turn takes 0.1 us up to n = 64, then 1/64 of the time that it has
/// taken so far, at most 0.1 ms, so that the loop ends at most 1.6 % (or 0.1 us) late; 0.1 us each
/// when smpi/grow-injected-times says no.
///
/// A loop that polls for what can never come is no progress: when IdlePollLimit polls (more with
/// many ranks) have failed without a message, a receive or a completion anywhere, no flow is under
/// way, and every rank (each of its threads) has ended, waits in MPI, or has itself polled in vain
/// many times since, the run ends with exit code 4. This counts simulated events only, so it is
/// deterministic.
#pragma once

#include "mpi/RankState.h"
#include "mpi/request/ArrivalOrder.h"
#include "mpi/request/PollLoop.h"

#include <cstdint>
#include <span>

namespace gnomon::mpi {

/// What looking at one more request costs, of a poll: 1/8 (docs/performance/messages.md has what MPICH and
/// Open MPI take).
inline constexpr double RequestShare = 0.125;
inline constexpr uint64_t IdlePollLimit = 1'000'000, IdlePollsPerRank = 10'000;

/// Told of each poll when it ends, and of how many it stands for; null: the run is not recorded.
inline constinit void (*pollListener)(RankState &state, const Polled &what, bool found,
                                      uint64_t polls) = nullptr;

/// Sleeps for the next poll of a kind of which \p failures have failed in a row, and counts that as
/// time of polls.
void payPoll(RankState &state, double costSeconds, uint64_t failures);
/// What the turn of such a loop takes, \p turns counting from 0.
double spinSeconds(uint64_t turns, bool grows);
/// Counts a failed poll, one more of \p failures; \p polls of them where polls were skipped. Ends
/// the run when nothing can come.
void pollFailed(RankState &state, uint64_t &failures, uint64_t polls = 1);
void noteFailedPolls(RankState &state, uint64_t polls);
/// Lets the time of a poll pass, or of those that a loop skips, and says of how many.
uint64_t beginPoll(RankState &state, double costSeconds, uint64_t failures);
void endPoll(RankState &state, const Polled &what, bool found, uint64_t &failures, uint64_t polls);
/// One poll of a kind of which \p failures have failed in a row: pays for it, asks \p found, and
/// counts the failure when that is false. Returns what \p found does.
template <class Found>
bool poll(RankState &state, double costSeconds, uint64_t &failures, const Polled &what,
          const Found &found) {
  const uint64_t polls = beginPoll(state, costSeconds, failures);
  if (anyArrivals()) [[unlikely]]
    notePollsInVain(state, polls - 1);
  const bool is = found();
  endPoll(state, what, is, failures, polls);
  return is;
}
/// One test of one active request. True: it is done.
bool pollRequest(RankState &state, Request &request);
/// One test of all active requests together, of which there are \p active: whether all are done,
/// and whether any is, which \p found then has.
bool pollAll(RankState &state, std::span<Request *const> requests, int active);
bool pollSome(RankState &state, std::span<Request *const> requests, int active, FoundSome &found);
/// The one that is done; null: none.
Request *pollAny(RankState &state, std::span<Request *const> requests, int active);
/// A thread has seen what it waited for: the others' polls are not in vain.
void pollSucceeded(RankState &state);

} // namespace gnomon::mpi
