// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cost of polls, and the end of those that are in vain. Polling.h states the rules.
#include "mpi/Polling.h"

#include "support/Error.h"

#include <string>

namespace gnomon::mpi {

namespace {

/// Polls without progress after which a rank counts as one that does nothing else.
constexpr uint64_t OnlyPolls = 64;

bool pollsInVain(const RankState &state) {
  return state.progressAtIdlePoll == runtime().fabric.statistics().progress &&
         state.idlePolls >= OnlyPolls;
}

/// Whether the rank can do nothing more unless a message comes.
bool depends(const process::Rank &rank) {
  if (rank.threads && !rank.finished)
    return false; // another of its threads may do anything
  return rank.finished || rank.waitsFor || pollsInVain(*rank.mpi);
}

[[noreturn]] void endRun(const Runtime &runtime) {
  constexpr size_t Shown = 16;
  std::string text = "gnomon: no progress: every rank waits or polls for a message that cannot "
                     "come";
  size_t shown = 0, more = 0;
  for (const auto &rank : runtime.world.ranks) {
    if (rank->finished)
      continue;
    if (shown == Shown) {
      ++more;
      continue;
    }
    ++shown;
    text += "\n  " + process::nameOf(*rank) + ": ";
    if (rank->call.function)
      text += std::string(rank->call.function) + ": ";
    text += rank->waitsFor ? rank->describeWait(*rank, rank->waitsFor) : std::string("polls");
  }
  if (more)
    text += "\n  and " + std::to_string(more) + " more";
  process::abortWorld(static_cast<int>(ExitCode::NoProgress), text);
}

} // namespace

void payPoll(RankState &state, double costSeconds, uint64_t failures) {
  if (costSeconds <= 0)
    return;
  double times = state.runtime.settings.growInjectedTimes ? static_cast<double>(failures + 1) : 1;
  state.runtime.world.engine.sleep(costSeconds * times);
}

void pollFailed(RankState &state, uint64_t &failures) {
  ++failures;
  Runtime &runtime = state.runtime;
  const p2p::Statistics &statistics = runtime.fabric.statistics();
  if (state.progressAtIdlePoll != statistics.progress) {
    state.progressAtIdlePoll = statistics.progress;
    state.idlePolls = 0;
  }
  ++state.idlePolls;
  if (runtime.progressAtLastPoll != statistics.progress || statistics.inFlight > 0) {
    runtime.progressAtLastPoll = statistics.progress;
    runtime.pollsWithoutProgress = 0;
    return;
  }
  if (++runtime.pollsWithoutProgress <
      IdlePollLimit + IdlePollsPerRank * runtime.world.ranks.size())
    return;
  runtime.pollsWithoutProgress = 0;
  for (const auto &rank : runtime.world.ranks)
    if (!depends(*rank))
      return;
  endRun(runtime);
}

} // namespace gnomon::mpi
