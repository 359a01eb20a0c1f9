// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mpi/request/ArrivalOrder.h"

#include "mpi/comm/Comm.h"
#include "mpi/request/Operations.h"
#include "mpi/request/WaitNote.h"
#include "process/ranks/Threads.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::mpi {

using process::burst::Arrivals;
using process::burst::Arrived;
using process::burst::Found;
using Kind = Found::Kind;

namespace {

/// Null where the rank takes things as they come.
Arrivals *arrivalsOf(const process::Rank &rank) {
  return rank.threads ? nullptr : Arrivals::running();
}

/// The same of its polls.
Arrivals *pollsOf(const RankState &state) {
  Arrivals *arrivals = arrivalsOf(state.rank);
  if (arrivals && state.runtime.settings.pollsGrow()) {
    arrivals->leavePolls();
    return nullptr;
  }
  return arrivals && arrivals->followsPolls() ? arrivals : nullptr;
}

/// What is given to the rank's polls next; null: they take what is there.
const Found *nextOf(Arrivals *arrivals, uint32_t rank) {
  return arrivals && !arrivals->records() ? arrivals->next(rank) : nullptr;
}

/// Whether it may be a message of the communicator: a file may say anything.
bool isOf(const Comm &comm, const Arrived &message) {
  return message.source >= 0 && message.source < comm.peers() && message.tag >= 0;
}

/// What a receive is given; nothing: it takes what comes.
std::optional<Arrived> nextMessage(Arrivals &arrivals, const Comm &comm) {
  const uint32_t rank = comm.owner().number;
  const std::optional<Arrived> next = arrivals.nextMessage(rank);
  if (!next || isOf(comm, *next))
    return next;
  arrivals.contradict(
      Arrivals::Receives, rank,
      fmt::format("it names rank {} and tag {}, where the communicator has {} ranks", next->source,
                  next->tag, comm.peers()));
  return std::nullopt;
}

bool isNewlyDone(Request *request) { return isActive(request) && request->done(); }

uint32_t numberOf(const Request &request) { return request.handleNumber; }

Request *byNumber(std::span<Request *const> requests, uint32_t number) {
  const auto found = std::ranges::find_if(requests, [&](Request *request) {
    return isActive(request) && numberOf(*request) == number;
  });
  return found == requests.end() ? nullptr : *found;
}

/// Of those that a list names; empty where one of them is not among \p requests.
std::vector<Request *> byNumbers(std::span<Request *const> requests,
                                 const std::vector<uint32_t> &numbers) {
  std::vector<Request *> found;
  for (const uint32_t number : numbers) {
    Request *request = byNumber(requests, number);
    if (!request)
      return {};
    found.push_back(request);
  }
  return found;
}

uint32_t firstNumber(std::span<Request *const> requests) {
  const auto first = std::ranges::find_if(requests, isActive);
  return first == requests.end() ? 0 : numberOf(**first);
}

bool isDone(Request *request) { return !isActive(request) || request->done(); }

Request *firstDone(std::span<Request *const> requests) {
  const auto found = std::ranges::find_if(requests, isNewlyDone);
  return found == requests.end() ? nullptr : *found;
}

std::vector<uint32_t> numbersOfDone(std::span<Request *const> requests) {
  std::vector<uint32_t> numbers;
  for (Request *request : requests)
    if (isNewlyDone(request))
      numbers.push_back(numberOf(*request));
  return numbers;
}

void recordSome(Arrivals &arrivals, uint32_t rank, std::span<Request *const> requests) {
  std::vector<uint32_t> numbers = numbersOfDone(requests);
  const auto count = static_cast<uint32_t>(numbers.size());
  arrivals.found(rank, {Kind::Some, count, std::move(numbers)});
}

/// Whether a poll that asks for what is given next finds it. \p there: whether it is there; \p await: waits for it.
template <class There, class Await>
bool findsGiven(Arrivals &arrivals, uint32_t rank, bool asksForNext, const There &there,
                const Await &await) {
  const Arrivals::Due due = asksForNext ? arrivals.due(rank) : Arrivals::Due::Later;
  if (due == Arrivals::Due::Later) {
    arrivals.holdBack(rank);
    return false;
  }
  if (!there()) {
    arrivals.awaits(rank);
    if (due == Arrivals::Due::WhenThere)
      return false;
    await();
  }
  arrivals.take(rank);
  return true;
}

/// The same of requests that end one by one.
bool findsGiven(Arrivals &arrivals, uint32_t rank, bool asksForNext,
                std::span<Request *const> requests) {
  return findsGiven(
      arrivals, rank, asksForNext, [&] { return std::ranges::all_of(requests, isDone); },
      [&] {
        for (Request *request : requests)
          if (isActive(request))
            waitDone(*request);
      });
}

} // namespace

void OpenReceive::begin(Comm &comm, int &source, int &tag) {
  const uint32_t rank = comm.owner().number;
  Arrivals *arrivals = arrivalsOf(comm.owner());
  if (!arrivals)
    return;
  if (arrivals->records()) {
    comm_ = &comm;
    arrivals->await(rank, this);
  } else if (const std::optional<Arrived> next = nextMessage(*arrivals, comm)) {
    source = next->source;
    tag = next->tag;
  }
}

void OpenReceive::tell(int source, int tag) const {
  if (Arrivals *arrivals = Arrivals::running())
    arrivals->got(comm_->owner().number, this, Arrived{source, tag});
}

void orderReceive(Comm &comm, Receiving &receiving) {
  const uint32_t rank = comm.owner().number;
  Arrivals *arrivals = arrivalsOf(comm.owner());
  if (!arrivals)
    return;
  if (arrivals->records()) {
    receiving.isRecorded = true;
    arrivals->await(rank, &receiving);
  } else if (const std::optional<Arrived> next = nextMessage(*arrivals, comm)) {
    receiving.isFromAny = receiving.pattern.source == p2p::AnySource;
    receiving.isOfAnyTag = receiving.pattern.tag == p2p::AnyTag;
    receiving.pattern.source = next->source;
    receiving.pattern.tag = next->tag;
  }
}

void tellReceived(Comm &comm, const Receiving &receiving) {
  Arrivals *arrivals = Arrivals::running();
  if (!arrivals)
    return;
  std::optional<Arrived> message;
  if (!receiving.cancelled)
    message = {receiving.result.source, receiving.result.tag};
  arrivals->got(comm.owner().number, &receiving, message);
}

void notePollsInVain(RankState &state, uint64_t polls) {
  if (Arrivals *arrivals = pollsOf(state))
    arrivals->inVain(state.rank.number, polls);
}

bool isHeldBack(const RankState &state) {
  const Arrivals *arrivals = pollsOf(state);
  return arrivals && !arrivals->records() && arrivals->heldBack(state.rank.number);
}

bool FoundSome::has(Request *request) const {
  return isNewlyDone(request) && (!only_ || std::ranges::find(*only_, request) != only_->end());
}

bool findsOne(RankState &state, Request &request) {
  if (!anyArrivals()) [[likely]]
    return request.done();
  const uint32_t rank = state.rank.number, number = numberOf(request);
  Arrivals *arrivals = pollsOf(state);
  Request *one = &request;
  if (const Found *next = nextOf(arrivals, rank))
    return findsGiven(*arrivals, rank, next->kind == Kind::One && next->number == number,
                      {&one, 1});
  const bool found = request.done();
  if (found && arrivals && arrivals->records())
    arrivals->found(rank, {Kind::One, number});
  return found;
}

bool findsAll(RankState &state, std::span<Request *const> requests) {
  if (!anyArrivals()) [[likely]]
    return std::ranges::all_of(requests, isDone);
  const uint32_t rank = state.rank.number, number = firstNumber(requests);
  Arrivals *arrivals = pollsOf(state);
  if (const Found *next = nextOf(arrivals, rank))
    return findsGiven(*arrivals, rank, next->kind == Kind::All && next->number == number, requests);
  const bool found = std::ranges::all_of(requests, isDone);
  if (found && arrivals && arrivals->records())
    arrivals->found(rank, {Kind::All, number});
  return found;
}

Request *findsAny(RankState &state, std::span<Request *const> requests) {
  if (!anyArrivals()) [[likely]]
    return firstDone(requests);
  const uint32_t rank = state.rank.number;
  Arrivals *arrivals = pollsOf(state);
  if (const Found *next = nextOf(arrivals, rank)) {
    Request *one = next->kind == Kind::Any ? byNumber(requests, next->number) : nullptr;
    return findsGiven(*arrivals, rank, one != nullptr, {&one, 1}) ? one : nullptr;
  }
  Request *found = firstDone(requests);
  if (found && arrivals && arrivals->records())
    arrivals->found(rank, {Kind::Any, numberOf(*found)});
  return found;
}

bool findsSome(RankState &state, std::span<Request *const> requests, FoundSome &found) {
  if (!anyArrivals()) [[likely]]
    return firstDone(requests) != nullptr;
  const uint32_t rank = state.rank.number;
  Arrivals *arrivals = pollsOf(state);
  if (const Found *next = nextOf(arrivals, rank)) {
    std::vector<Request *> some;
    if (next->kind == Kind::Some)
      some = byNumbers(requests, next->some);
    const bool is = findsGiven(*arrivals, rank, !some.empty(), some);
    found.only_ = is ? std::move(some) : std::vector<Request *>();
    return is;
  }
  const bool is = firstDone(requests) != nullptr;
  if (is && arrivals && arrivals->records())
    recordSome(*arrivals, rank, requests);
  return is;
}

p2p::ProbeResult findsMessage(RankState &state, Comm &comm, const p2p::Envelope &wanted) {
  p2p::Fabric &fabric = state.runtime.fabric;
  const uint32_t rank = state.rank.number;
  if (!anyArrivals()) [[likely]]
    return fabric.probe(rank, wanted);
  const auto number = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(comm.handle));
  Arrivals *arrivals = pollsOf(state);
  if (const Found *next = nextOf(arrivals, rank)) {
    const p2p::Envelope given{wanted.context, next->message.source, next->message.tag};
    p2p::ProbeResult probed;
    findsGiven(
        *arrivals, rank,
        next->kind == Kind::Message && next->number == number && isOf(comm, next->message) &&
            wanted.accepts(given),
        [&] {
          probed = fabric.probe(rank, given);
          return probed.message != nullptr;
        },
        [&] {
          WaitNote note{WaitNote::Kind::Probe, &comm, Channel::User, given.source, given.tag};
          Waiting waiting(comm.owner(), note);
          probed = fabric.waitForMessage(rank, given);
        });
    return probed;
  }
  const p2p::ProbeResult probed = fabric.probe(rank, wanted);
  if (probed.message && arrivals && arrivals->records())
    arrivals->found(rank, {Kind::Message, number, {}, {probed.source, probed.tag}});
  return probed;
}

bool findsOther(RankState &state, bool is) {
  if (!anyArrivals()) [[likely]]
    return is;
  const uint32_t rank = state.rank.number;
  Arrivals *arrivals = pollsOf(state);
  if (const Found *next = nextOf(arrivals, rank)) {
    if (next->kind != Kind::Other || arrivals->due(rank) == Arrivals::Due::Later) {
      arrivals->holdBack(rank);
      return false;
    }
    arrivals->awaits(rank);
    if (is)
      arrivals->take(rank);
    return is;
  }
  if (is && arrivals && arrivals->records())
    arrivals->found(rank, {Kind::Other});
  return is;
}

Request *awaitAny(process::Rank &rank, std::span<Request *const> requests) {
  Arrivals *arrivals = anyArrivals() ? pollsOf(state(rank)) : nullptr;
  if (const Found *next = nextOf(arrivals, rank.number)) {
    if (Request *one = next->kind == Kind::Any ? byNumber(requests, next->number) : nullptr) {
      waitDone(*one);
      arrivals->take(rank.number);
      return one;
    }
    arrivals->contradict(Arrivals::Polls, rank.number,
                         "MPI_Waitany waits for none of the requests of which it "
                         "found one when it was recorded");
  }
  waitAnyDone(rank, requests);
  Request *found = firstDone(requests);
  if (arrivals && arrivals->records())
    arrivals->found(rank.number, {Kind::Any, numberOf(*found)});
  return found;
}

void awaitSome(process::Rank &rank, std::span<Request *const> requests, FoundSome &found) {
  Arrivals *arrivals = anyArrivals() ? pollsOf(state(rank)) : nullptr;
  if (const Found *next = nextOf(arrivals, rank.number)) {
    std::vector<Request *> some;
    if (next->kind == Kind::Some)
      some = byNumbers(requests, next->some);
    if (!some.empty()) {
      for (Request *request : some)
        waitDone(*request);
      arrivals->take(rank.number);
      found.only_ = std::move(some);
      return;
    }
    arrivals->contradict(Arrivals::Polls, rank.number,
                         "MPI_Waitsome waits for none of the requests that it found "
                         "when it was recorded");
  }
  waitAnyDone(rank, requests);
  if (arrivals && arrivals->records())
    recordSome(*arrivals, rank.number, requests);
}

} // namespace gnomon::mpi
