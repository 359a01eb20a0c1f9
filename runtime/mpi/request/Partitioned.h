// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Partitioned communication (MPI 4.1, chapter 4). Each of the sender's partitions is a message of
/// its own, sent by MPI_Pready: what arrives early can be used early, and the network sees the
/// traffic that an implementation with early sending makes. Both sides of an operation are paired
/// when they are made, in order of their making; the receiver learns the sender's partitions from
/// the pair, as a real MPI would from a first message.
#pragma once

#include "mpi/datatype/Datatype.h"
#include "mpi/request/Request.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
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
  std::vector<bool> placed;        ///< partitions whose part of `staging` is in the buffer

  int64_t partitionBytes() const { return count * type->size(); }
};

/// Tags of the collective channel for the messages of operations, a row for each operation as long
/// as one of its sides lives; no collective uses negative ones. Constant cost but for the rows that
/// lie in the way of a new one, once all have been used.
class PartitionedTags {
public:
  static constexpr int64_t Count = int64_t{1} << 30;

  /// The first of \p partitions tags in a row; nothing when there are not as many.
  std::optional<int32_t> take(int partitions);
  /// Gives back the row that begins with \p first.
  void giveBack(int32_t first);

private:
  std::map<int64_t, int64_t> taken_; ///< begin → end, counted from the smallest tag
  int64_t next_ = 0;                 ///< the end of the row taken last
};

/// Finds the other side.
class PartitionedPairs {
public:
  std::shared_ptr<PartitionedPair> attend(const Comm &comm, const PartitionedSide &side, int tag);
  PartitionedTags tags;

private:
  /// Communicator, sender's and receiver's process, tag, and whether the sides are senders.
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, int, bool>;
  std::map<Key, std::deque<std::shared_ptr<PartitionedPair>>> alone_;
};

/// An inactive persistent request of one end; null when there are no tags left for its messages.
Request *newPartitioned(PartitionedSide side, int tag, Comm &comm, const char *name);
/// Null when the request is of no partitioned operation.
PartitionedSide *partitionedSide(Request &request);
/// MPI_Start.
void startPartitioned(PartitionedSide &side);
/// Sends one partition. The request must be active, the partition not ready.
void makeReady(PartitionedSide &side, int partition);
/// Whether the receiver's partition is there.
bool hasArrived(PartitionedSide &side, int partition);

} // namespace gnomon::mpi
