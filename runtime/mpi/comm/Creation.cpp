// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Communicator constructors. The algorithm is stated in Creation.h.
#include "mpi/comm/Creation.h"

#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/PointToPoint.h"
#include "support/Check.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gnomon::mpi {

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

Meeting &join(Comm &parent, const Meetings::Key &key, Meeting::Purpose purpose,
              const MembersRef &members, const char *function) {
  Meeting &meeting = runtime().meetings->attend(key, members);
  if (meeting.firstRank < 0) {
    meeting.purpose = purpose;
    meeting.function = function;
    meeting.firstRank = parent.rank();
    if (parent.isInter())
      meeting.boundary = sideOf(parent) == 0 ? parent.size() : parent.peers();
    if (purpose == Meeting::Purpose::Split || purpose == Meeting::Purpose::Create ||
        purpose == Meeting::Purpose::Merge)
      meeting.entries.resize(static_cast<size_t>(members->size()));
  } else if (meeting.purpose != purpose) {
    process::abortWorld(1, fmt::format("gnomon: {}: {} on {}, on which rank {} calls {}",
                                       process::nameOf(parent.owner()), function, describe(parent),
                                       meeting.firstRank, meeting.function));
  }
  ++meeting.arrived;
  return meeting;
}

CommSharedRef makeShared(MembersRef members) {
  return std::make_shared<CommShared>(CommShared{runtime().nextCommId++, std::move(members)});
}

Comm *makeEnd(Comm &parent, CommSharedRef shared, int rank) {
  if (!shared)
    return nullptr;
  auto *comm = new Comm(parent.owner(), std::move(shared), rank);
  retain(*parent.errhandler);
  comm->errhandler = parent.errhandler;
  return comm;
}

Meetings::Key keyOf(Comm &parent) { return {parent.id(), 0, parent.nextCreation()}; }

namespace {

/// The groups of one color, processes in the order of their new ranks, become a communicator; on an
/// intercommunicator only when both groups have members.
std::array<CommSharedRef, 2> makeOfColor(bool inter, std::array<std::vector<uint32_t>, 2> groups) {
  if (!inter)
    return {makeShared(Members::list(std::move(groups[0]))), nullptr};
  if (groups[0].empty() || groups[1].empty())
    return {};
  return makePair(Members::list(std::move(groups[0])), Members::list(std::move(groups[1])));
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
    std::array<std::vector<uint32_t>, 2> groups;
    for (end = begin; end < order.size() && entries[static_cast<size_t>(order[end])].color == color;
         ++end) {
      auto &group = groups[meeting.groupOf(order[end])];
      entries[static_cast<size_t>(order[end])].resultRank = static_cast<int>(group.size());
      group.push_back(meeting.members->process(order[end]));
    }
    auto made = makeOfColor(meeting.boundary > 0, std::move(groups));
    for (size_t i = begin; i < end; ++i)
      entries[static_cast<size_t>(order[i])].result = made[meeting.groupOf(order[i])];
  }
}

/// Every member of the meeting that is in the group it brought gets that group's communicator;
/// groups of different ranks are equal or disjoint.
void computeCreate(Meeting &meeting) {
  std::map<uint32_t, CommSharedRef> byFirst;
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
    return meeting.boundary ? computeCreateAcross(meeting) : computeCreate(meeting);
  case Meeting::Purpose::Merge:
    return computeMerge(meeting);
  default:
    break;
  }
}

/// The one result of a meeting, in which the ranks are those of \p parent.
void computeCommon(const Comm &parent, Meeting &meeting) {
  if (std::exchange(meeting.computed, true))
    return;
  if (!parent.isInter()) {
    meeting.common[0] = makeShared(meeting.members);
    return;
  }
  auto pair = makePair(parent.members(), parent.remoteMembers());
  size_t side = sideOf(parent);
  meeting.common = {std::move(pair[side]), std::move(pair[1 - side])};
}

CommSharedRef commonFor(const Comm &parent, const Meeting &meeting) {
  return meeting.common[parent.isInter() ? sideOf(parent) : 0];
}

const MembersRef &everyone(const Comm &comm) {
  return comm.isInter() ? comm.shared()->everyone : comm.members();
}

void agree(Comm &parent, bool gather) {
  int tag = parent.nextCollectiveTag();
  if (parent.isInter())
    agreeAcross(parent, tag, gather);
  else
    disseminate(parent, *parent.members(), tag, gather);
}

/// A constructor to which every rank brings an entry.
Comm *meetWith(Comm &parent, Meeting::Entry entry, Meeting::Purpose purpose, const char *function) {
  Meetings::Key key = keyOf(parent);
  Meeting &meeting = join(parent, key, purpose, everyone(parent), function);
  int place = parent.isInter() ? meeting.members->rankOf(parent.owner().number) : parent.rank();
  auto &mine = meeting.entries[static_cast<size_t>(place)] = std::move(entry);
  agree(parent, purpose == Meeting::Purpose::Split);
  compute(meeting);
  Comm *comm = makeEnd(parent, mine.result, mine.resultRank);
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
  return meetWith(parent, std::move(entry), Meeting::Purpose::Split, function);
}

Comm *createComm(Comm &parent, const MembersRef &members, const char *function) {
  Meeting::Entry entry;
  entry.members = members;
  return meetWith(parent, std::move(entry), Meeting::Purpose::Create, function);
}

Comm *mergeIntercomm(Comm &inter, bool high) {
  Meeting::Entry entry;
  entry.key = high;
  return meetWith(inter, std::move(entry), Meeting::Purpose::Merge, "MPI_Intercomm_merge");
}

Comm *duplicateComm(Comm &parent, const char *function) {
  Meetings::Key key = keyOf(parent);
  Meeting &meeting = join(parent, key, Meeting::Purpose::Duplicate, everyone(parent), function);
  agree(parent, false);
  computeCommon(parent, meeting);
  Comm *comm = makeEnd(parent, commonFor(parent, meeting), parent.rank());
  runtime().meetings->leave(key, meeting);
  return comm;
}

Comm *createCommOfGroup(Comm &parent, const MembersRef &members, int tag, const char *function) {
  // Tags of collectives stay below 2^30.
  constexpr int GroupTag = 0x40000000;
  Meetings::Key key{parent.id(), 1 + members->process(0), -1 - int64_t{tag}};
  Meeting &meeting = join(parent, key, Meeting::Purpose::CreateOfGroup, members, function);
  disseminate(parent, *members, GroupTag | (tag & (GroupTag - 1)), false);
  computeCommon(parent, meeting);
  Comm *comm = makeEnd(parent, meeting.common[0], members->rankOf(parent.owner().number));
  runtime().meetings->leave(key, meeting);
  return comm;
}

int64_t Meetings::numberOf(const std::string &stringtag) {
  constexpr int64_t BelowTags = -2 - int64_t{TagUpperBound};
  auto [at, isNew] = stringtags_.try_emplace(stringtag, 0);
  if (isNew)
    at->second = BelowTags - static_cast<int64_t>(stringtags_.size());
  return at->second;
}

Comm *createCommFromGroup(RankState &own, const MembersRef &members, const std::string &stringtag,
                          const char *function) {
  Comm &world = *own.world;
  Meetings::Key key{0, 1 + members->process(0), runtime().meetings->numberOf(stringtag)};
  Meeting &meeting = join(world, key, Meeting::Purpose::CreateOfGroup, members, function);
  // The new communicator is there before its members agree, for they may have no other in common.
  if (!std::exchange(meeting.computed, true))
    meeting.common[0] = makeShared(members);
  Comm *comm = makeEnd(world, meeting.common[0], members->rankOf(own.rank.number));
  disseminate(*comm, *comm->members(), comm->nextCollectiveTag(), false);
  runtime().meetings->leave(key, meeting);
  return comm;
}

Comm *duplicateLater(Comm &parent, Request &request) {
  Meetings::Key key = keyOf(parent);
  Meeting &meeting =
      join(parent, key, Meeting::Purpose::Duplicate, everyone(parent), "MPI_Comm_idup");
  computeCommon(parent, meeting);
  Comm *comm = makeEnd(parent, commonFor(parent, meeting), parent.rank());
  meeting.waiting.push_back(&request);
  if (meeting.arrived == meeting.members->size())
    for (Request *waiting : meeting.waiting)
      completeTask(*waiting);
  runtime().meetings->leave(key, meeting);
  return comm;
}

void synchronise(Comm &comm) { agree(comm, false); }

} // namespace gnomon::mpi
