// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Partitioned communication (MPI 4.1, chapter 4). Each of the sender's partitions is a message of
/// its own, sent by MPI_Pready: what arrives early can be used early, and the network sees the
/// traffic that an implementation with early sending makes. Both sides of an operation are paired
/// when they are made, in order of their making; the receiver learns the sender's partitions from
/// the pair, as a real MPI would from a first message.
#pragma once

#include "mpi/Datatype.h"
#include "mpi/Request.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace gnomon::mpi {

struct PartitionedSide;

/// What the two sides of an operation share.
struct PartitionedPair {
  int partitions = -1;              ///< of the sender; -1: it has not been made yet
  int64_t partitionBytes = 0;       ///< of the sender's partitions
  int32_t firstTag = 0;             ///< of the sender's first partition; the others follow
  PartitionedSide *eager = nullptr; ///< a started receiver that waits for the sender's making
};

/// One end, kept by its persistent request.
struct PartitionedSide {
  bool sends = false;
  void *buffer = nullptr;
  int partitions = 0;
  int64_t count = 0; ///< elements of a partition
  DatatypeRef type;
  int peer = 0; ///< may be MPI_PROC_NULL
  std::shared_ptr<PartitionedPair> pair;
  Request *request = nullptr;
  // Of the present start.
  std::vector<Request *> messages; ///< by the sender's partition; null: not ready, or received
  int missing = 0;                 ///< partitions that are not ready
  std::vector<char> staging;       ///< received data of a type that is not contiguous

  int64_t partitionBytes() const { return count * type->size(); }
};

/// Finds the other side.
class PartitionedPairs {
public:
  std::shared_ptr<PartitionedPair> attend(const Comm &comm, const PartitionedSide &side, int tag);
  /// Tags of the collective channel for \p partitions messages; no collective uses negative ones.
  int32_t nextTags(int partitions);

private:
  /// Communicator, sender's and receiver's process, tag, and whether the sides are senders.
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, int, bool>;
  std::map<Key, std::deque<std::shared_ptr<PartitionedPair>>> alone_;
  int64_t tags_ = 0;
};

/// An inactive persistent request of one end.
Request *newPartitioned(PartitionedSide side, int tag, Comm &comm, const char *name);
/// Null when the request is of no partitioned operation.
PartitionedSide *partitionedSide(Request &request);
/// Sends one partition. The request must be active, the partition not ready.
void makeReady(PartitionedSide &side, int partition);
/// Whether the receiver's partition is there.
bool hasArrived(PartitionedSide &side, int partition);

} // namespace gnomon::mpi
