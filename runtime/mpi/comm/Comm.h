// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Communicators. What all members have in common (context ids, members) is one shared object; a
/// Comm is one rank's end of it: its rank, attributes, error handler, name, info, topology.
#pragma once

#include "mpi/Attribute.h"
#include "mpi/Handle.h"
#include "mpi/comm/AttachedBuffer.h"
#include "mpi/comm/Group.h"
#include "mpi/request/PointToPoint.h"
#include "process/ranks/Rank.h"

#include <cstdint>
#include <memory>
#include <string>

namespace gnomon::mpi {

class CollectiveLedger;
class Errhandler;
class Info;
class RankState;

/// A virtual topology (Topology.h); immutable, shared by duplicates.
class Topology;

/// The largest tag (MPI_TAG_UB).
inline constexpr int TagUpperBound = 0x7fffffff;

/// What the members of a communicator share; of an intercommunicator, those of one of its groups:
/// the other group has the same id, and members and remote the other way round.
struct CommShared {
  uint32_t id; ///< unique in the simulation; contexts are 2 id (user) and 2 id + 1 (collective)
  MembersRef members;
  // Of an intercommunicator only; else null.
  MembersRef remote = nullptr;
  MembersRef everyone = nullptr; ///< both groups, that with the lower first process before
  std::shared_ptr<const CommShared> local = nullptr; ///< of the intracommunicator in Comm::local()
  /// The grid that the first member has made of it, for the others to share; null: none.
  mutable std::shared_ptr<const Topology> grid = nullptr;
  /// Of the collectives of these members; made when there is one.
  mutable std::shared_ptr<CollectiveLedger> ledger = nullptr;
};

class Comm {
private:
  // First, for every message needs them.
  process::Rank &owner_;
  const Members *peers_; ///< whom ranks in messages name
  uint32_t id_;
  int rank_;
  uint32_t collectives_ = 0, creations_ = 0;
  uint32_t references_ = 1;
  int size_;
  uint64_t collectiveCalls_ = 0;
  std::shared_ptr<const CommShared> shared_;
  std::unique_ptr<Comm> local_; ///< null: an intracommunicator

public:
  Comm(process::Rank &owner, std::shared_ptr<const CommShared> shared, int rank);
  ~Comm();
  Comm(const Comm &) = delete;
  Comm &operator=(const Comm &) = delete;

  int rank() const { return rank_; }
  /// Of the local group.
  int size() const { return size_; }
  /// Ranks that messages can name: size() within an intracommunicator, those of the remote group
  /// from an intercommunicator.
  int peers() const { return peers_->size(); }
  bool isInter() const { return local_ != nullptr; }
  /// Of an intercommunicator: its local group as an intracommunicator that the program does not
  /// see, for what a group does within.
  Comm &local() const { return *local_; }
  /// The rank (process) whose end this is.
  process::Rank &owner() const { return owner_; }
  /// The number in the initial MPI_COMM_WORLD of the peer \p rank.
  uint32_t process(int rank) const { return peers_->process(rank); }
  /// The local group.
  const MembersRef &members() const { return shared_->members; }
  /// The remote group; null in an intracommunicator.
  const MembersRef &remoteMembers() const { return shared_->remote; }
  const std::shared_ptr<const CommShared> &shared() const { return shared_; }
  uint32_t context(Channel channel) const { return 2 * id_ + static_cast<uint32_t>(channel); }
  uint32_t id() const { return id_; }

  /// Numbers the collective constructors called on this communicator, equally on all its ranks.
  uint32_t nextCreation() { return creations_++; }
  /// Numbers the program's collective calls on this communicator, equally on all its ranks.
  uint64_t nextCollectiveCall() { return collectiveCalls_++; }
  CollectiveLedger &ledger();
  /// The tag of all blocking collectives: a rank is in one at a time on a communicator, and
  /// messages between two ranks match in the order in which they were sent. One tag keeps the
  /// mailboxes' queues in use.
  static constexpr int BlockingTag = 0x40000000;
  /// A tag for one collective operation that may overlap others: the same on all ranks when they
  /// call collectives in the same order.
  int nextCollectiveTag() { return static_cast<int>(collectives_++ & 0x3fffffff); }

  /// Shares ownership: a request or another object may outlive MPI_Comm_free.
  void retain() { ++references_; }
  void release();

  MPI_Comm handle = nullptr;
  std::string name;
  Errhandler *errhandler; ///< counted
  AttributeSet attributes;
  std::unique_ptr<Info> info;
  std::shared_ptr<const Topology> topology; ///< null: none
  uint32_t traceNumber = 0;                 ///< of --comm-trace; 0: not met yet
  std::unique_ptr<AttachedBuffer> attached; ///< of MPI_Comm_attach_buffer; null: never
};

/// Collective over \p parent, with simulated communication: communicators whose members are those
/// of parent that gave the same \p color (>= 0), ordered by (key, rank). Null for a negative color.
/// The new communicator has no handle, the parent's error handler, and nothing else of the
/// parent's.
/// \p function names the call in the message when ranks disagree about which they make.
Comm *splitComm(Comm &parent, int color, int key, const char *function);
/// Collective over \p parent: the same members in the same order, a new context.
Comm *duplicateComm(Comm &parent, const char *function);
/// Collective over \p parent: \p members in their order; null on ranks that are not among them.
Comm *createComm(Comm &parent, const MembersRef &members, const char *function);
/// Collective over \p members (of which the caller is one) only; \p tag distinguishes concurrent
/// calls.
Comm *createCommOfGroup(Comm &parent, const MembersRef &members, int tag, const char *function);

/// Collective over \p members, of which \p own is one, without a parent; \p stringtag
/// distinguishes concurrent calls. Its messages are those of createCommOfGroup.
Comm *createCommFromGroup(RankState &own, const MembersRef &members, const std::string &stringtag,
                          const char *function);

/// Collective over \p local: an intercommunicator between its members and those of the
/// communicator that rank \p remoteLeader of \p peer calls with. What follows \p leader counts on
/// rank \p leader only. Null: the groups have members in common.
Comm *createIntercomm(Comm &local, int leader, Comm *peer, int remoteLeader, int tag);
/// Collective over both groups of \p inter: all of them, those of the group that says \p high
/// last. Null: members of one group disagree about high.
Comm *mergeIntercomm(Comm &inter, bool high);

/// Enters a new communicator into its owner's handle table.
MPI_Comm expose(Comm &comm);
/// The user's name of it, or "communicator 7"; for messages.
std::string describe(const Comm &comm);

} // namespace gnomon::mpi
