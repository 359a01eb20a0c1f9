// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cost of polls, and the end of those that are in vain. Polling.h states the rules.
#include "mpi/request/Polling.h"

#include "process/image/Symbolizer.h"
#include "process/ranks/Threads.h"
#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace gnomon::mpi {

namespace {

/// Polls without progress after which a thread counts as one that does nothing else.
constexpr uint64_t OnlyPolls = 64;
/// One that has not polled for so many times as long as it used to does something else meanwhile.
constexpr double Pauses = 64;

bool pollsInVain(const process::IdlePolls &polls) {
  const Runtime &all = runtime();
  if (polls.progress != all.fabric.statistics().progress || polls.count < OnlyPolls)
    return false;
  const double pause = (polls.last - polls.first) / static_cast<double>(polls.count);
  return all.world.engine.now() - polls.last <= Pauses * pause;
}

/// Whether the rank can do nothing more unless a message comes, or another rank writes its memory.
bool depends(const process::Rank &rank) {
  if (rank.finished)
    return true;
  if (!rank.threads)
    return rank.waitsFor || pollsInVain(rank.idlePolls);
  const process::Threads &threads = *rank.threads;
  return std::all_of(threads.living.begin(), threads.living.end(), [&](const auto *thread) {
    if (thread == threads.running)
      return rank.waitsFor || pollsInVain(rank.idlePolls);
    return thread->own.waitsFor || pollsInVain(thread->own.idlePolls);
  });
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
    if (rank->call.returnAddress)
      text += " [" + process::describe(rank->call.returnAddress) + "]";
  }
  if (more)
    text += fmt::format("\n  and {} more", more);
  process::abortWorld(static_cast<int>(ExitCode::NoProgress), text);
}

} // namespace

void payPoll(RankState &state, double costSeconds, uint64_t failures) {
  if (costSeconds <= 0)
    return;
  double times = state.runtime.settings.growInjectedTimes ? static_cast<double>(failures + 1) : 1;
  kernel::Engine &engine = state.runtime.world.engine;
  const double begin = engine.now().seconds, end = begin + costSeconds * times;
  // Of polls of several threads at once only what no earlier one covers.
  const double uncovered = std::max(0.0, end - std::max(begin, state.polledUntil));
  state.polledUntil = std::max(state.polledUntil, end);
  engine.sleep(costSeconds * times);
  state.polledSeconds += uncovered;
}

void pollFailed(RankState &state, uint64_t &failures) {
  ++failures;
  pollFailed(state);
}

bool pollRequest(RankState &state, Request &request) {
  return poll(state, state.runtime.world.protocol.testSeconds(), state.failedTests,
              [&] { return request.done(); });
}

void pollSucceeded(RankState &state) {
  state.rank.idlePolls.count = 0;
  state.runtime.pollsWithoutProgress = 0;
}

void pollFailed(RankState &state) {
  Runtime &runtime = state.runtime;
  const p2p::Statistics &statistics = runtime.fabric.statistics();
  process::IdlePolls &polls = state.rank.idlePolls;
  const SimTime now = runtime.world.engine.now();
  if (polls.progress != statistics.progress || polls.count == 0)
    polls = {0, statistics.progress, now, now};
  ++polls.count;
  polls.last = now;
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
