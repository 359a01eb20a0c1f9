// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Attempts to see a loop idle cost some microseconds each: they are made ever more rarely where
/// they fail, and bounded.
#include "mpi/request/PollLoop.h"

#include "mpi/RankState.h"
#include "mpi/request/Operations.h"
#include "process/ranks/World.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gnomon::mpi {

namespace {

/// Computed between two polls: more is work.
constexpr double IdleSeconds = 1e-6;
/// Of a turn that may be found idle: polls, and states that are compared.
constexpr uint64_t MostPolls = 4096, MostComparisons = 64;
/// States are compared with the first one, and later with another: what was left in frames before the
/// loop goes on may last for some turns.
constexpr uint64_t FirstRenewal = 4;

double computed(const RankState &state) { return process::computedSeconds(state.rank); }

/// Parks the current fiber until that very date: now + (date - now) may be another one.
void sleepUntil(kernel::Engine &engine, SimTime date) {
  const auto wake = [](void *of, uint64_t fiber) {
    static_cast<kernel::Engine *>(of)->wake(*reinterpret_cast<kernel::Fiber *>(fiber));
  };
  engine.at(date, {wake, &engine, reinterpret_cast<uintptr_t>(engine.current())});
  engine.park();
}

} // namespace

void PollLoop::reset() {
  failures_ = 0;
  seeking_ = idle_ = false;
}

void PollLoop::begin(const RankState &state) {
  const void *fiber = state.runtime.world.engine.current();
  const uint32_t entries = state.rank.burst.entries();
  if (fiber != fiber_ || entries != entries_ + 1)
    reset();
  fiber_ = fiber;
  entries_ = entries;
}

void PollLoop::note(const Polled &what) {
  for (Request *request : what.requests)
    if (isActive(request) && !request->done())
      requests_.push_back(request);
  if (what.message)
    messages_.push_back(*what.message);
}

void PollLoop::failed(const RankState &state, const Polled &what) {
  ++failures_;
  if (idle_ || (!seeking_ && failures_ < attemptAt_))
    return;
  if (what.isKnown)
    return seek(state, what);
  seeking_ = false;
  failures_ = 0;
}

/// A turn begins, from \p code on.
void PollLoop::beginTurn(const RankState &state, const CodeState &code, const Polled &what) {
  site_ = state.rank.call.returnAddress;
  state_ = code;
  failuresBefore_ = failures_;
  computedBefore_ = computed(state);
  requests_.clear();
  messages_.clear();
  note(what);
}

void PollLoop::seek(const RankState &state, const Polled &what) {
  if (!seeking_) {
    seeking_ = true;
    comparisons_ = 0;
    failuresAtFirst_ = failures_;
    return beginTurn(state, callersState(state.rank), what);
  }
  const bool compares = state.rank.call.returnAddress == site_ && state_.stackPointer != 0;
  CodeState code;
  if (compares) {
    ++comparisons_;
    code = callersState(state.rank);
  }
  const uint64_t polls = failures_ - failuresBefore_;
  const bool isSame = compares && code == state_;
  if (isSame && computed(state) - computedBefore_ <= IdleSeconds * static_cast<double>(polls)) {
    seeking_ = false;
    idle_ = true;
    sleeps_ = 0;
    attemptAt_ = FirstAttempt;
    return;
  }
  if (isSame || comparisons_ >= MostComparisons || failures_ - failuresAtFirst_ >= MostPolls ||
      !state_.stackPointer) {
    seeking_ = false;
    attemptAt_ = std::min(2 * attemptAt_, LastAttempt);
    failures_ = 0;
    return;
  }
  // By doubling distances, as Brent finds cycles: some state is one that comes again.
  if (compares && comparisons_ >= FirstRenewal && std::has_single_bit(comparisons_))
    return beginTurn(state, code, what);
  note(what);
}

/// Whether one of the things that the loop polls for is there: another of its polls will tell.
bool PollLoop::isOver(RankState &state) const {
  if (!state.rank.threads && std::any_of(requests_.begin(), requests_.end(),
                                         [](Request *request) { return request->done(); }))
    return true;
  return std::any_of(messages_.begin(), messages_.end(), [&](const p2p::Envelope &message) {
    return state.runtime.fabric.probe(state.rank.number, message).message != nullptr;
  });
}

uint64_t PollLoop::sleep(RankState &state, double costSeconds) {
  kernel::Engine &engine = state.runtime.world.engine;
  if (isOver(state)) {
    engine.sleep(costSeconds);
    return 1;
  }
  ends_.clear();
  // Requests that another thread of the rank may end meanwhile are not held on to.
  if (!state.rank.threads)
    for (Request *request : requests_)
      ends_.push_back(&request->completion());
  ++sleeps_;
  return sleepOverPolls(state, costSeconds, static_cast<double>(sleeps_), ends_, messages_);
}

uint64_t sleepOverPolls(RankState &state, double costSeconds, double most,
                        std::span<p2p::Completion *const> ends,
                        std::span<const p2p::Envelope> messages) {
  kernel::Engine &engine = state.runtime.world.engine;
  const SimTime begin = engine.now();
  state.runtime.fabric.waitForAny(state.rank.number, ends, messages, costSeconds * most);
  if (costSeconds <= 0)
    return 1;
  constexpr double Rounding = 1e-6;
  const double polls = (engine.now() - begin) / costSeconds;
  double whole = std::max(1.0, std::ceil(polls - Rounding));
  // Whatever has ended the wait, so many polls end at the same date: in a replay, where something else
  // may end it, they would end at another one otherwise.
  if (begin + whole * costSeconds < engine.now())
    ++whole;
  if (const SimTime end = begin + whole * costSeconds; end > engine.now())
    sleepUntil(engine, end);
  return static_cast<uint64_t>(whole);
}

} // namespace gnomon::mpi
