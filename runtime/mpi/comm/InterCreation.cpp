// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How intercommunicators come to be, and what two groups agree on. The algorithm is stated in
/// Creation.h.
#include "mpi/comm/Creation.h"

#include "mpi/RankState.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/request/PointToPoint.h"
#include "mpi/request/Status.h"

#include "mpi.h"

#include <algorithm>
#include <limits>

namespace gnomon::mpi {

namespace {

/// Larger than any message of a constructor.
constexpr int64_t Room = std::numeric_limits<int32_t>::max();

const Datatype &byteType() { return Datatype::predefined(ByteCode); }

bool disjoint(const Members &one, const Members &other) {
  for (int rank = 0; rank < one.size(); ++rank)
    if (other.rankOf(one.process(rank)) >= 0)
      return false;
  return true;
}

/// Two leaders meet and tell each other of their groups.
CommSharedRef introduce(Comm &local, Comm &peer, int remoteLeader, int tag) {
  // Tags of other operations are not negative.
  const int leadersTag = std::numeric_limits<int>::min() | (tag & 0x3fffffff);
  const uint32_t mine = local.owner().number, theirs = peer.process(remoteLeader);
  const auto [low, high] = std::minmax(mine, theirs);
  // Below what keyOf and createCommOfGroup use.
  const Meetings::Key key{peer.id(), 1 + low,
                          -(int64_t{1} << 33) - ((int64_t{high} << 31) | int64_t{tag})};
  Meeting &meeting = runtime().meetings->attend(key, Members::list({low, high}));
  meeting.entries.resize(2);
  Meeting::Entry &entry = meeting.entries[mine > theirs];
  entry.members = local.members();
  ++meeting.arrived;
  exchange(peer, remoteLeader, leadersTag, RecordBytes * (1 + local.size()));
  const MembersRef &one = meeting.entries[0].members, &other = meeting.entries[1].members;
  if (!std::exchange(meeting.computed, true) && disjoint(*one, *other)) {
    auto pair = makePair(one, other);
    meeting.entries[0].result = std::move(pair[0]);
    meeting.entries[1].result = std::move(pair[1]);
  }
  CommSharedRef result = entry.result;
  runtime().meetings->leave(key, meeting);
  return result;
}

} // namespace

void announce(Comm &comm, int root, int tag, int64_t bytes) {
  int size = comm.size(), relative = (comm.rank() - root + size) % size;
  int64_t distance = 1;
  while (distance < size && !(relative & distance))
    distance *= 2;
  if (relative != 0) {
    MPI_Status status;
    int parent = static_cast<int>((relative - distance + root) % size);
    recv(nullptr, Room, byteType(), parent, tag, comm, Channel::Collective, &status);
    bytes = statusBytes(status);
  }
  for (distance /= 2; distance > 0; distance /= 2)
    if (relative + distance < size)
      send(nullptr, bytes, byteType(), static_cast<int>((relative + distance + root) % size), tag,
           comm, Channel::Collective);
}

void exchange(Comm &comm, int peer, int tag, int64_t bytes) {
  sendrecv(nullptr, bytes, byteType(), peer, tag, nullptr, Room, byteType(), peer, tag, comm,
           Channel::Collective);
}

std::array<CommSharedRef, 2> makePair(const MembersRef &one, const MembersRef &other) {
  const bool inOrder = one->process(0) < other->process(0);
  std::vector<uint32_t> all;
  for (const Members *group : {(inOrder ? one : other).get(), (inOrder ? other : one).get()})
    for (int rank = 0; rank < group->size(); ++rank)
      all.push_back(group->process(rank));
  const MembersRef everyone = Members::list(std::move(all));
  const uint32_t id = runtime().nextCommId++;
  auto end = [&](const MembersRef &members, const MembersRef &remote) {
    return std::make_shared<CommShared>(
        CommShared{id, members, remote, everyone, makeShared(members)});
  };
  CommSharedRef first = end(one, other);
  return {std::move(first), end(other, one)};
}

size_t sideOf(const Comm &inter) {
  return inter.members()->process(0) > inter.remoteMembers()->process(0);
}

void agreeAcross(Comm &inter, int tag, bool gather) {
  Comm &local = inter.local();
  auto bytes = [gather](int ranks) { return gather ? RecordBytes * ranks : RecordBytes; };
  disseminate(local, *local.members(), tag, gather);
  if (inter.rank() == 0)
    exchange(inter, 0, tag, bytes(inter.size()));
  announce(local, 0, tag, bytes(inter.peers()));
}

void computeCreateAcross(Meeting &meeting) {
  std::array<MembersRef, 2> groups;
  for (size_t i = 0; i < meeting.entries.size(); ++i) {
    MembersRef &group = groups[meeting.groupOf(static_cast<int>(i))];
    if (!group && meeting.entries[i].members->size() > 0)
      group = meeting.entries[i].members;
  }
  if (!groups[0] || !groups[1])
    return;
  const auto pair = makePair(groups[0], groups[1]);
  for (size_t i = 0; i < meeting.entries.size(); ++i) {
    const size_t side = meeting.groupOf(static_cast<int>(i));
    Meeting::Entry &entry = meeting.entries[i];
    entry.resultRank = groups[side]->rankOf(meeting.members->process(static_cast<int>(i)));
    if (entry.resultRank >= 0)
      entry.result = pair[side];
  }
}

void computeMerge(Meeting &meeting) {
  auto &entries = meeting.entries;
  const int size = meeting.members->size(), boundary = meeting.boundary;
  auto highOf = [&](int place) { return entries[static_cast<size_t>(place)].key; };
  for (int place = 0; place < size; ++place)
    if (highOf(place) != highOf(meeting.groupOf(place) ? boundary : 0))
      return;
  const int shift = highOf(0) > highOf(boundary) ? boundary : 0; // who comes first
  std::vector<uint32_t> processes;
  for (int rank = 0; rank < size; ++rank) {
    const int place = (rank + shift) % size;
    processes.push_back(meeting.members->process(place));
    entries[static_cast<size_t>(place)].resultRank = rank;
  }
  const CommSharedRef merged = makeShared(Members::list(std::move(processes)));
  for (auto &entry : entries)
    entry.result = merged;
}

Comm *createIntercomm(Comm &local, int leader, Comm *peer, int remoteLeader, int tag) {
  const Meetings::Key key = keyOf(local);
  Meeting &meeting =
      join(local, key, Meeting::Purpose::Intercomm, local.members(), "MPI_Intercomm_create");
  int64_t bytes = RecordBytes;
  if (local.rank() == leader) {
    meeting.common[0] = introduce(local, *peer, remoteLeader, tag);
    if (meeting.common[0])
      bytes *= 1 + meeting.common[0]->remote->size();
  }
  announce(local, leader, local.nextCollectiveTag(), bytes);
  Comm *comm = makeEnd(local, meeting.common[0], local.rank());
  runtime().meetings->leave(key, meeting);
  return comm;
}

} // namespace gnomon::mpi
