// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Texts of waits: "receive from rank 3, tag 7, MPI_COMM_WORLD (a message from rank 3 with tag 8 is
/// there)".
#include "mpi/request/WaitNote.h"

#include "mpi/RankState.h"

#include <algorithm>
#include <fmt/format.h>

namespace gnomon::mpi {

std::string peerText(int peer) {
  return peer == p2p::AnySource ? "any rank" : fmt::format("rank {}", peer);
}
std::string tagText(int tag) { return tag == p2p::AnyTag ? "any tag" : fmt::format("tag {}", tag); }

namespace {

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
  return fmt::format("; unmatched there: a message from rank {}, tag {}{}", best->envelope.source,
                     best->envelope.tag,
                     best->envelope.context != context ? ", of another communicator" : "");
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
  if (pending == 0) // the report comes between their end and the rank's next step
    return fmt::format("{}its requests, which are done: it goes on", opening);
  if (pending > Shown)
    list += fmt::format("; and {} more", pending - Shown);
  return fmt::format("{}{} {}: {}", opening, pending, pending == 1 ? "request" : "requests", list);
}

std::string othersText(const std::vector<bool> &here) {
  const auto missing = std::count(here.begin(), here.end(), false);
  return fmt::format("{} other {}", missing, missing == 1 ? "rank" : "ranks");
}

} // namespace

std::string WaitNote::text(const process::Rank &rank) const {
  switch (kind) {
  case Kind::Send:
    return fmt::format("send of {} bytes to {}, {}, {}{}, that no receive has matched", bytes,
                       peerText(peer), tagText(tag), describe(*comm), channelText(channel));
  case Kind::Receive:
    return fmt::format("receive from {}, {}, {}{}{}", peerText(peer), tagText(tag), describe(*comm),
                       channelText(channel), hint(rank, *this));
  case Kind::Probe:
    return fmt::format("probe for a message from {}, {}, {}{}", peerText(peer), tagText(tag),
                       describe(*comm), hint(rank, *this));
  case Kind::All:
    return listText("all of ", requests);
  case Kind::Any:
    return listText("one of ", requests);
  case Kind::Others:
    return fmt::format("{} of {} to call {}", othersText(*here), describe(*comm), place);
  case Kind::Port:
    return fmt::format("another group to come to the port {}", place);
  }
  return {};
}

void WaitNote::listAwaited(std::vector<uint32_t> &awaited) const {
  if (comm && !here && peer >= 0)
    awaited.push_back(comm->process(peer));
  if (here)
    for (size_t r = 0; r < here->size(); ++r)
      if (!(*here)[r])
        awaited.push_back(comm->process(static_cast<int>(r)));
}

} // namespace gnomon::mpi
