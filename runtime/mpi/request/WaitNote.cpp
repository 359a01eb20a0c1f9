// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Texts of waits: "receive from rank 3, tag 7, MPI_COMM_WORLD (a message from rank 3 with tag 8 is
/// there)".
#include "mpi/request/WaitNote.h"

#include "mpi/RankState.h"

#include <algorithm>

namespace gnomon::mpi {

namespace {

std::string peerText(int peer) {
  return peer == p2p::AnySource ? "any rank" : "rank " + std::to_string(peer);
}
std::string tagText(int tag) {
  return tag == p2p::AnyTag ? "any tag" : "tag " + std::to_string(tag);
}

/// The messages that are there and nearly match: what a wrong tag, source or communicator looks
/// like.
std::string hint(const process::Rank &rank, const WaitNote &note) {
  const p2p::Message *best = nullptr;
  int bestScore = -1;
  size_t looked = 0;
  auto context = note.comm->context(note.channel);
  runtime().fabric.mailbox(rank.number).forEachUnexpected([&](const p2p::Message &message) {
    if ((message.envelope.context & 1) != (context & 1))
      return ++looked < 100'000;
    int score = 4 * (message.envelope.context == context) +
                2 * (note.peer == p2p::AnySource || message.envelope.source == note.peer) +
                (note.tag == p2p::AnyTag || message.envelope.tag == note.tag);
    if (score > bestScore || (score == bestScore && message.sequence < best->sequence)) {
      best = &message;
      bestScore = score;
    }
    return ++looked < 100'000;
  });
  if (!best)
    return {};
  std::string text = "; unmatched there: a message from rank " +
                     std::to_string(best->envelope.source) + ", tag " +
                     std::to_string(best->envelope.tag);
  if (best->envelope.context != context)
    text += ", of another communicator";
  return text;
}

std::string channelText(Channel channel) {
  return channel == Channel::Collective ? " (of a collective)" : "";
}

std::string listText(const char *opening, std::span<Request *const> requests) {
  constexpr size_t Shown = 8;
  size_t pending = 0;
  std::string list;
  for (Request *request : requests) {
    if (!request || !request->active || request->done())
      continue;
    if (++pending <= Shown)
      list += (pending > 1 ? "; " : "") + describe(*request);
  }
  if (pending > Shown)
    list += "; and " + std::to_string(pending - Shown) + " more";
  return opening + std::to_string(pending) + (pending == 1 ? " request: " : " requests: ") + list;
}

std::string othersText(const std::vector<bool> &here) {
  const auto missing = std::count(here.begin(), here.end(), false);
  return std::to_string(missing) + (missing == 1 ? " other rank" : " other ranks");
}

std::string describeNote(const process::Rank &rank, const void *what) {
  return static_cast<const WaitNote *>(what)->text(rank);
}

/// Whom a single operation waits for, so that reports can follow a cycle of ranks.
void listAwaitedByNote(const process::Rank &, const void *what, std::vector<uint32_t> &awaited) {
  const auto &note = *static_cast<const WaitNote *>(what);
  if (note.comm && !note.here && note.peer >= 0)
    awaited.push_back(note.comm->process(note.peer));
  if (note.here)
    for (size_t r = 0; r < note.here->size(); ++r)
      if (!(*note.here)[r])
        awaited.push_back(note.comm->process(static_cast<int>(r)));
}

} // namespace

std::string WaitNote::text(const process::Rank &rank) const {
  switch (kind) {
  case Kind::Send:
    return "send of " + std::to_string(bytes) + " bytes to " + peerText(peer) + ", " +
           tagText(tag) + ", " + describe(*comm) + channelText(channel) +
           ", that no receive has matched";
  case Kind::Receive:
    return "receive from " + peerText(peer) + ", " + tagText(tag) + ", " + describe(*comm) +
           channelText(channel) + hint(rank, *this);
  case Kind::Probe:
    return "probe for a message from " + peerText(peer) + ", " + tagText(tag) + ", " +
           describe(*comm) + hint(rank, *this);
  case Kind::All:
    return listText("all of ", requests);
  case Kind::Any:
    return listText("one of ", requests);
  case Kind::Others:
    return othersText(*here) + " of " + describe(*comm) + " to call " + place;
  case Kind::Port:
    return "another group to come to the port " + std::string(place);
  }
  return {};
}

Waiting::Waiting(process::Rank &rank, const WaitNote &note) {
  if (runtime().world.engine.current() != rank.fiber)
    return;
  rank_ = &rank;
  outerDescribe_ = rank.describeWait;
  outerList_ = rank.listAwaited;
  outer_ = rank.waitsFor;
  rank.describeWait = describeNote;
  rank.listAwaited = listAwaitedByNote;
  rank.waitsFor = &note;
}

Waiting::~Waiting() {
  if (!rank_)
    return;
  rank_->describeWait = outerDescribe_;
  rank_->listAwaited = outerList_;
  rank_->waitsFor = outer_;
}

} // namespace gnomon::mpi
