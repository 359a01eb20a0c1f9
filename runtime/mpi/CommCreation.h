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
///   rank - 2^k split     min(2^k, P - 2^k) records of 8 bytes (color, key): an allgather others 8
///   bytes: an agreement on a context id
/// After a dissemination everyone has arrived. The cost for the host is O(P log P) for all ranks
/// together, and the members of a result are one shared list. Ids are given in order of creation,
/// by color: deterministic.
#pragma once

#include "mpi/Comm.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace gnomon::mpi {

struct Meeting {
  enum class Purpose : uint8_t { Split, Duplicate, Create, CreateOfGroup };
  /// What one member brings, and what it takes away.
  struct Entry {
    bool here = false;
    int color = -1, key = 0;                  ///< Split
    MembersRef members;                       ///< Create
    std::shared_ptr<const CommShared> result; ///< null: no communicator
    int resultRank = -1;
  };
  Purpose purpose = Purpose::Duplicate;
  const char *function = "";
  int firstRank = -1;         ///< who came first, for messages
  MembersRef members;         ///< who meets
  std::vector<Entry> entries; ///< by rank in members; empty for Duplicate and CreateOfGroup
  std::shared_ptr<const CommShared> common; ///< the one result of Duplicate and CreateOfGroup
  int arrived = 0, left = 0;
  bool computed = false;
  std::vector<Request *> waiting; ///< MPI_Comm_idup: completed when all have arrived
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

private:
  std::multimap<Key, std::unique_ptr<Meeting>> meetings_;
};

/// Starts MPI_Comm_idup: \p request is completed once every member has called. No messages.
Comm *duplicateLater(Comm &parent, Request &request);

/// Parks until all members have called it: a barrier of simulated messages (MPI_Finalize with
/// smpi/barrier-finalization).
void synchronise(Comm &comm);

} // namespace gnomon::mpi
