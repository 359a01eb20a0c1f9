// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Communicator constructors. The algorithm is stated in CommCreation.h.
#include "mpi/CommCreation.h"

#include "mpi/Datatype.h"
#include "mpi/Error.h"
#include "mpi/PointToPoint.h"
#include "mpi/RankState.h"
#include "support/Check.h"

#include <algorithm>
#include <numeric>

namespace gnomon::mpi {

namespace {

constexpr int64_t RecordBytes = 8;
constexpr uintptr_t ByteCode = 0x247;

/// The messages of an agreement among \p members, over \p comm's collective channel. \p gather:
/// sizes grow as in an allgather.
void disseminate(Comm &comm, const Members &members, int tag, bool gather) {
  int size = members.size();
  if (size < 2)
    return;
  const Datatype &byte = Datatype::predefined(ByteCode);
  int rank = members.rankOf(comm.owner().number);
  bool whole = &members == comm.members().get();
  auto inComm = [&](int r) { return whole ? r : comm.members()->rankOf(members.process(r)); };
  for (int64_t distance = 1; distance < size; distance *= 2) {
    int64_t bytes = RecordBytes * (gather ? std::min(distance, size - distance) : 1);
    int to = static_cast<int>((rank + distance) % size);
    int from = static_cast<int>((rank - distance + size) % size);
    sendrecv(nullptr, bytes, byte, inComm(to), tag, nullptr, bytes, byte, inComm(from), tag, comm,
             Channel::Collective);
  }
}

/// Joins the meeting; a constructor that differs from the others' is the user's error, and ends the
/// run, for the ranks' next messages would not fit together.
Meeting &join(Comm &parent, const Meetings::Key &key, Meeting::Purpose purpose,
              const MembersRef &members, const char *function) {
  Meeting &meeting = runtime().meetings->attend(key, members);
  if (meeting.firstRank < 0) {
    meeting.purpose = purpose;
    meeting.function = function;
    meeting.firstRank = parent.rank();
    if (purpose == Meeting::Purpose::Split || purpose == Meeting::Purpose::Create)
      meeting.entries.resize(static_cast<size_t>(members->size()));
  } else if (meeting.purpose != purpose) {
    process::abortWorld(1, "gnomon: rank " + std::to_string(parent.owner().number) + ": " +
                               function + " on " + describe(parent) + ", on which rank " +
                               std::to_string(meeting.firstRank) + " calls " + meeting.function);
  }
  ++meeting.arrived;
  return meeting;
}

std::shared_ptr<const CommShared> makeShared(MembersRef members) {
  return std::make_shared<CommShared>(CommShared{runtime().nextCommId++, std::move(members)});
}

/// One communicator for each color, members ordered by (key, rank in the parent).
void computeSplit(Meeting &meeting) {
  std::vector<int> order;
  for (size_t i = 0; i < meeting.entries.size(); ++i)
    if (meeting.entries[i].color >= 0)
      order.push_back(static_cast<int>(i));
  auto &entries = meeting.entries;
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    auto &x = entries[static_cast<size_t>(a)], &y = entries[static_cast<size_t>(b)];
    return std::tuple{x.color, x.key, a} < std::tuple{y.color, y.key, b};
  });
  for (size_t begin = 0, end; begin < order.size(); begin = end) {
    int color = entries[static_cast<size_t>(order[begin])].color;
    std::vector<uint32_t> processes;
    for (end = begin; end < order.size() && entries[static_cast<size_t>(order[end])].color == color;
         ++end)
      processes.push_back(meeting.members->process(order[end]));
    auto shared = makeShared(Members::list(std::move(processes)));
    for (size_t i = begin; i < end; ++i) {
      auto &entry = entries[static_cast<size_t>(order[i])];
      entry.result = shared;
      entry.resultRank = static_cast<int>(i - begin);
    }
  }
}

/// Every member of the meeting that is in the group it brought gets that group's communicator;
/// groups of different ranks are equal or disjoint.
void computeCreate(Meeting &meeting) {
  std::map<uint32_t, std::shared_ptr<const CommShared>> byFirst;
  for (size_t i = 0; i < meeting.entries.size(); ++i) {
    auto &entry = meeting.entries[i];
    entry.resultRank = entry.members->rankOf(meeting.members->process(static_cast<int>(i)));
    if (entry.resultRank < 0)
      continue;
    auto &shared = byFirst[entry.members->process(0)];
    if (!shared)
      shared = makeShared(entry.members);
    entry.result = shared;
  }
}

void compute(Meeting &meeting) {
  if (meeting.computed)
    return;
  CHECK(meeting.arrived == meeting.members->size(), "an agreement ends when everyone is there");
  meeting.computed = true;
  switch (meeting.purpose) {
  case Meeting::Purpose::Split:
    return computeSplit(meeting);
  case Meeting::Purpose::Create:
    return computeCreate(meeting);
  default:
    meeting.common = makeShared(meeting.members);
  }
}

Comm *makeEnd(Comm &parent, std::shared_ptr<const CommShared> shared, int rank) {
  if (!shared)
    return nullptr;
  auto *comm = new Comm(parent.owner(), std::move(shared), rank);
  retain(*parent.errhandler);
  comm->errhandler = parent.errhandler;
  return comm;
}

Meetings::Key keyOf(Comm &parent) { return {parent.id(), 0, parent.nextCreation()}; }

Comm *meetAndSplit(Comm &parent, Meeting::Entry entry, Meeting::Purpose purpose,
                   const char *function) {
  Meetings::Key key = keyOf(parent);
  Meeting &meeting = join(parent, key, purpose, parent.members(), function);
  auto rank = static_cast<size_t>(parent.rank());
  meeting.entries[rank] = std::move(entry);
  disseminate(parent, *parent.members(), parent.nextCollectiveTag(),
              purpose == Meeting::Purpose::Split);
  compute(meeting);
  Comm *comm = makeEnd(parent, meeting.entries[rank].result, meeting.entries[rank].resultRank);
  runtime().meetings->leave(key, meeting);
  return comm;
}

} // namespace

Meeting &Meetings::attend(const Key &key, const MembersRef &members) {
  auto [begin, end] = meetings_.equal_range(key);
  for (auto at = begin; at != end; ++at) {
    Meeting &meeting = *at->second;
    if (meeting.arrived < meeting.members->size() && meeting.members->sameOrder(*members))
      return meeting;
  }
  auto meeting = std::make_unique<Meeting>();
  meeting->members = members;
  return *meetings_.emplace(key, std::move(meeting))->second;
}

void Meetings::leave(const Key &key, Meeting &meeting) {
  if (++meeting.left < meeting.members->size())
    return;
  auto [begin, end] = meetings_.equal_range(key);
  for (auto at = begin; at != end; ++at)
    if (at->second.get() == &meeting) {
      meetings_.erase(at);
      return;
    }
}

Comm *splitComm(Comm &parent, int color, int key, const char *function) {
  Meeting::Entry entry;
  entry.color = color;
  entry.key = key;
  return meetAndSplit(parent, std::move(entry), Meeting::Purpose::Split, function);
}

Comm *createComm(Comm &parent, const MembersRef &members, const char *function) {
  Meeting::Entry entry;
  entry.members = members;
  return meetAndSplit(parent, std::move(entry), Meeting::Purpose::Create, function);
}

Comm *duplicateComm(Comm &parent, const char *function) {
  Meetings::Key key = keyOf(parent);
  Meeting &meeting = join(parent, key, Meeting::Purpose::Duplicate, parent.members(), function);
  disseminate(parent, *parent.members(), parent.nextCollectiveTag(), false);
  compute(meeting);
  Comm *comm = makeEnd(parent, meeting.common, parent.rank());
  runtime().meetings->leave(key, meeting);
  return comm;
}

Comm *createCommOfGroup(Comm &parent, const MembersRef &members, int tag, const char *function) {
  // Tags of collectives stay below 2^30.
  constexpr int GroupTag = 0x40000000;
  Meetings::Key key{parent.id(), 1 + members->process(0), -1 - int64_t{tag}};
  Meeting &meeting = join(parent, key, Meeting::Purpose::CreateOfGroup, members, function);
  disseminate(parent, *members, GroupTag | (tag & (GroupTag - 1)), false);
  compute(meeting);
  Comm *comm = makeEnd(parent, meeting.common, members->rankOf(parent.owner().number));
  runtime().meetings->leave(key, meeting);
  return comm;
}

Comm *duplicateLater(Comm &parent, Request &request) {
  Meetings::Key key = keyOf(parent);
  Meeting &meeting =
      join(parent, key, Meeting::Purpose::Duplicate, parent.members(), "MPI_Comm_idup");
  if (!meeting.common)
    meeting.common = makeShared(meeting.members);
  meeting.computed = true;
  Comm *comm = makeEnd(parent, meeting.common, parent.rank());
  meeting.waiting.push_back(&request);
  if (meeting.arrived == meeting.members->size())
    for (Request *waiting : meeting.waiting)
      completeTask(*waiting);
  runtime().meetings->leave(key, meeting);
  return comm;
}

void synchronise(Comm &comm) {
  disseminate(comm, *comm.members(), comm.nextCollectiveTag(), false);
}

} // namespace gnomon::mpi
