// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How ranks make a communicator together.
///
/// In a real MPI the members agree by messages: MPI_Comm_split gathers everybody's (color, key),
/// all constructors agree on a context id. Here all members live in one process, so what they agree
/// on is written into one shared Meeting, computed once by the first rank that may read it; the
/// messages are sent all the same, with the sizes that the agreement needs and without contents, so
/// that the calls cost simulated time and synchronise:
///   dissemination, ceil(log2 P) rounds; in round k each rank sends to rank + 2^k and receives from
///   rank - 2^k:
///     split    min(2^k, P - 2^k) records of 8 bytes (color, key): an allgather
///     others   8 bytes: an agreement on a context id
/// After a dissemination everyone has arrived. The cost for the host is O(P log P) for all ranks
/// together, and the members of a result are one shared list. Ids are given in order of creation,
/// by color: deterministic.
///
/// On an intercommunicator both groups meet in one Meeting; its messages are a dissemination in
/// each group, an exchange of the groups' first ranks, and a binomial tree from these to their
/// groups. An intercommunicator is made by an exchange of the leaders and a binomial tree in each
/// group.
#pragma once

#include "mpi/comm/Comm.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace gnomon::mpi {

using CommSharedRef = std::shared_ptr<const CommShared>;

/// So many equal elements of array_of_errcodes.
struct CodeRun {
  size_t count;
  int code;
};

struct Meeting {
  enum class Purpose : uint8_t {
    Split,
    Duplicate,
    Create,
    CreateOfGroup,
    Intercomm,
    Merge,
    Connect
  };
  /// What one member brings, and what it takes away.
  struct Entry {
    bool here = false;
    int color = -1, key = 0; ///< Split; of Merge, key is `high`
    MembersRef members;      ///< Create, Intercomm
    CommSharedRef result;    ///< null: no communicator
    int resultRank = -1;
  };
  Purpose purpose = Purpose::Duplicate;
  const char *function = "";
  int firstRank = -1;         ///< who came first, for messages
  MembersRef members;         ///< who meets; on an intercommunicator, CommShared::everyone
  int boundary = 0;           ///< how many of them are in the first group; 0: there is one group
  std::vector<Entry> entries; ///< by rank in members; empty where all get `common`
  std::array<CommSharedRef, 2> common; ///< by group, the one result of the other purposes
  int arrived = 0, left = 0;
  bool computed = false;
  // Of Connect: why there is no communicator, and what MPI_Comm_spawn says of each process.
  int error = 0;
  std::string failure;
  std::vector<CodeRun> codes;
  std::vector<Request *> waiting; ///< MPI_Comm_idup: completed when all have arrived

  size_t groupOf(int place) const { return boundary > 0 && place >= boundary; }
};

class Meetings {
public:
  /// parent's id; first member's process, tag (CreateOfGroup) or creation number, 0
  using Key = std::tuple<uint32_t, uint32_t, int64_t>;

  /// The meeting named \p key of these members, made if need be. One that is full is over: a new
  /// one of the same name starts.
  Meeting &attend(const Key &key, const MembersRef &members);
  /// The caller has taken its result; the last one ends the meeting.
  void leave(const Key &key, Meeting &meeting);
  /// A number for the third part of the key of MPI_Comm_create_from_group's meetings: one for each
  /// string, below those of tags.
  int64_t numberOf(const std::string &stringtag);

private:
  std::map<std::string, int64_t> stringtags_;
  std::multimap<Key, std::unique_ptr<Meeting>> meetings_;
};

// What the constructors share.

constexpr int64_t RecordBytes = 8; ///< of what a rank tells the others of itself
constexpr uintptr_t ByteCode = 0x247;

/// The messages of an agreement among \p members, over \p comm's collective channel. \p gather:
/// sizes grow as in an allgather.
void disseminate(Comm &comm, const Members &members, int tag, bool gather);
/// The name of the meeting that the next constructor on \p parent is.
Meetings::Key keyOf(Comm &parent);
/// Joins the meeting; a constructor that differs from the others' is the user's error, and ends the
/// run, for the ranks' next messages would not fit together.
Meeting &join(Comm &parent, const Meetings::Key &key, Meeting::Purpose purpose,
              const MembersRef &members, const char *function);
CommSharedRef makeShared(MembersRef members);
/// The caller's end of a new communicator, in which it has \p rank; null for none.
Comm *makeEnd(Comm &parent, CommSharedRef shared, int rank);

// Intercommunicators (InterCreation.cpp).

/// Both ends of a new intercommunicator: that of the members of \p one, that of \p other's.
std::array<CommSharedRef, 2> makePair(const MembersRef &one, const MembersRef &other);
/// Which of the two groups the caller is in: 1 for that with the higher first process.
size_t sideOf(const Comm &inter);
/// The messages by which both groups agree.
void agreeAcross(Comm &inter, int tag, bool gather);
/// MPI_Comm_create on an intercommunicator: each group is the one that its members brought.
void computeCreateAcross(Meeting &meeting);
void computeMerge(Meeting &meeting);
/// The messages of a binomial tree from \p root, whose \p bytes count.
void announce(Comm &comm, int root, int tag, int64_t bytes);
/// The messages by which two processes tell each other of their groups.
void exchange(Comm &comm, int peer, int tag, int64_t bytes);

/// Starts MPI_Comm_idup: \p request is completed once every member has called. No messages.
Comm *duplicateLater(Comm &parent, Request &request);

/// Parks until all members, of both groups, have called it: a barrier of simulated messages
/// (MPI_Finalize with smpi/barrier-finalization, MPI_Comm_disconnect).
void synchronise(Comm &comm);

} // namespace gnomon::mpi
