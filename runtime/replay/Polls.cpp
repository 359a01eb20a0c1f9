// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/Polls.h"

#include "mpi/request/Operations.h"
#include "mpi/request/Polling.h"
#include "mpi/request/WaitNote.h"
#include "process/ranks/World.h"

#include <algorithm>
#include <limits>

namespace gnomon::replay {

void Polls::begin(int64_t what, std::vector<mpi::Request *> requests,
                  std::optional<Message> message) {
  what_ = what;
  requests_ = std::move(requests);
  message_ = message;
  open_ = true;
  passes_ = false;
}

void Polls::end() {
  open_ = passes_ = hasFound_ = false;
  requests_.clear();
  message_.reset();
}

double Polls::secondsOf(int asked) const {
  const auto &protocol = state_.runtime.world.protocol;
  return asked == 0 ? protocol.iprobeSeconds()
                    : protocol.testSeconds() * (1 + mpi::RequestShare * (asked - 1));
}

uint64_t &Polls::failuresOf(int asked) const {
  return asked == 0 ? state_.failedProbes : state_.failedTests;
}

bool Polls::isThere() const {
  return std::all_of(requests_.begin(), requests_.end(),
                     [](mpi::Request *request) { return request->done(); }) &&
         (!message_ || state_.runtime.fabric.probe(state_.rank.number, message_->envelope).message);
}

void Polls::sleepOver(double costSeconds, double most) {
  ends_.clear();
  for (mpi::Request *request : requests_)
    ends_.push_back(&request->completion());
  std::span<const p2p::Envelope> messages;
  if (message_)
    messages = {&message_->envelope, 1};
  mpi::sleepOverPolls(state_, costSeconds, most, ends_, messages);
}

void Polls::inVain(int asked, uint64_t polls, int64_t what) {
  if (passes_)
    return;
  const double cost = secondsOf(asked);
  if (polls == 1) {
    mpi::payPoll(state_, cost, failuresOf(asked)++);
  } else if (cost > 0) {
    state_.polledSeconds += cost * static_cast<double>(polls);
    if (!open_)
      state_.runtime.world.engine.sleep(cost * static_cast<double>(polls));
    else if (isThere())
      state_.runtime.world.engine.sleep(cost);
    else
      sleepOver(cost, static_cast<double>(polls));
  }
  passes_ = open_ && what == what_ && isThere();
}

void Polls::found(int asked, uint64_t polls) {
  uint64_t &failures = failuresOf(asked);
  const double cost = secondsOf(asked);
  // What is under way may end at the date of the poll: events have the order that they had.
  if (!passes_ && (polls == 1 || isThere()))
    mpi::payPoll(state_, cost, failures);
  if (!isThere())
    pollUntilThere(cost);
  failures = 0;
  end();
  hasFound_ = true;
}

/// What a report says the rank waits for.
static mpi::WaitNote noteOf(const Polls::Message &message) {
  return {mpi::WaitNote::Kind::Probe, message.comm, mpi::Channel::User, message.envelope.source,
          message.envelope.tag};
}

void Polls::waitFor(const Message &message) {
  if (state_.runtime.fabric.probe(state_.rank.number, message.envelope).message)
    return;
  const mpi::WaitNote note = noteOf(message);
  mpi::Waiting waiting(state_.rank, note);
  state_.runtime.fabric.waitForMessage(state_.rank.number, message.envelope);
}

void Polls::pollUntilThere(double costSeconds) {
  mpi::WaitNote note{mpi::WaitNote::Kind::All};
  note.requests = requests_;
  if (message_)
    note = noteOf(*message_);
  mpi::Waiting waiting(state_.rank, note);
  state_.polledSeconds += costSeconds;
  while (!isThere())
    sleepOver(costSeconds, std::numeric_limits<double>::infinity());
}

} // namespace gnomon::replay
