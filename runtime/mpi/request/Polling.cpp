// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cost of polls, and the end of those that are in vain. Polling.h states the rules.
#include "mpi/request/Polling.h"

#include "mpi/request/Operations.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/DeadFrames.h"
#include "process/ranks/Threads.h"
#include "support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
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

std::string noProgressText(const Runtime &runtime) {
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
  return text;
}

} // namespace

void payPoll(RankState &state, double costSeconds, uint64_t failures) {
  if (costSeconds <= 0)
    return;
  double times = state.runtime.settings.pollsGrow() ? static_cast<double>(failures + 1) : 1;
  kernel::Engine &engine = state.runtime.world.engine;
  const double begin = engine.now().seconds, end = begin + costSeconds * times;
  // Of polls of several threads at once only what no earlier one covers.
  const double uncovered = std::max(0.0, end - std::max(begin, state.polledUntil));
  state.polledUntil = std::max(state.polledUntil, end);
  engine.sleep(costSeconds * times);
  state.polledSeconds += uncovered;
}

uint64_t beginPoll(RankState &state, double costSeconds, uint64_t failures) {
  if (PollLoop *loop = state.pollLoop.get()) {
    loop->begin(state);
    if (loop->isIdle() && costSeconds > 0) {
      state.polledSeconds += costSeconds;
      return loop->sleep(state, costSeconds);
    }
  }
  payPoll(state, costSeconds, failures);
  return 1;
}

void endPoll(RankState &state, const Polled &what, bool found, uint64_t &failures, uint64_t polls) {
  if (pollListener) [[unlikely]]
    pollListener(state, what, found, polls);
  if (found) {
    failures = 0;
    if (state.pollLoop)
      state.pollLoop->succeeded();
    return;
  }
  pollFailed(state, failures, polls);
  if (anyArrivals()) [[unlikely]]
    notePollsInVain(state, 1);
  if (state.runtime.settings.pollsGrow())
    return;
  if (!state.pollLoop) {
    state.pollLoop = std::make_unique<PollLoop>();
    state.pollLoop->begin(state);
  }
  // Of what is there and may not be found yet, no event will tell.
  state.pollLoop->failed(state, anyArrivals() && isHeldBack(state) ? Polled{} : what);
  process::clearsDeadFrames = true;
}

void pollFailed(RankState &state, uint64_t &failures, uint64_t polls) {
  ++failures;
  noteFailedPolls(state, polls);
}

namespace {

double testSeconds(const RankState &state) { return state.runtime.world.protocol.testSeconds(); }

double testSeconds(const RankState &state, int active) {
  return testSeconds(state) * (1 + RequestShare * std::max(0, active - 1));
}

} // namespace

bool pollRequest(RankState &state, Request &request) {
  Request *one = &request;
  return poll(state, testSeconds(state), state.failedTests, {.requests = {&one, 1}},
              [&] { return findsOne(state, request); });
}

bool pollAll(RankState &state, std::span<Request *const> requests, int active) {
  if (!state.runtime.settings.pollsGrow())
    return poll(state, testSeconds(state, active), state.failedTests, {.requests = requests},
                [&] { return findsAll(state, requests); });
  bool all = true;
  for (Request *request : requests)
    if (isActive(request) && !pollRequest(state, *request))
      all = false;
  return all;
}

bool pollSome(RankState &state, std::span<Request *const> requests, int active, FoundSome &found) {
  if (!state.runtime.settings.pollsGrow())
    return poll(state, testSeconds(state, active), state.failedTests, {.requests = requests},
                [&] { return findsSome(state, requests, found); });
  bool any = false;
  for (Request *request : requests)
    if (isActive(request) && pollRequest(state, *request))
      any = true;
  return any;
}

Request *pollAny(RankState &state, std::span<Request *const> requests, int active) {
  const bool grows = state.runtime.settings.pollsGrow();
  Request *found = nullptr;
  poll(state, grows ? testSeconds(state) : testSeconds(state, active), state.failedTestanys,
       {.requests = requests}, [&] { return (found = findsAny(state, requests)) != nullptr; });
  return found;
}

void pollSucceeded(RankState &state) {
  state.rank.idlePolls.count = 0;
  state.runtime.pollsWithoutProgress = 0;
}

void noteFailedPolls(RankState &state, uint64_t polls) {
  Runtime &runtime = state.runtime;
  const p2p::Statistics &statistics = runtime.fabric.statistics();
  process::IdlePolls &idle = state.rank.idlePolls;
  const SimTime now = runtime.world.engine.now();
  if (idle.progress != statistics.progress || idle.count == 0)
    idle = {0, statistics.progress, now, now};
  ++idle.count;
  idle.last = now;
  if (runtime.progressAtLastPoll != statistics.progress || statistics.inFlight > 0) {
    runtime.progressAtLastPoll = statistics.progress;
    runtime.pollsWithoutProgress = 0;
    return;
  }
  runtime.pollsWithoutProgress += polls;
  if (runtime.pollsWithoutProgress < IdlePollLimit + IdlePollsPerRank * runtime.world.ranks.size())
    return;
  runtime.pollsWithoutProgress = 0;
  for (const auto &rank : runtime.world.ranks)
    if (!depends(*rank))
      return;
  if (auto *arrivals = process::burst::Arrivals::running(); arrivals && !arrivals->records())
    if (arrivals->contradictHeldBack())
      return;
  process::abortWorld(static_cast<int>(ExitCode::NoProgress),
                      [&] { return noProgressText(runtime); });
}

} // namespace gnomon::mpi
