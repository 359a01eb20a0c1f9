// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the algorithms of each collective get: plain structs, valid while the operation runs.
/// Counts are in elements. Arguments have been checked; `type`s are never null where they are
/// significant.
#pragma once

#include "mpi/datatype/Counts.h"
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "mpi/request/PointToPoint.h"

#include <cstdint>
#include <vector>

namespace gnomon::mpi {
class Comm;
}

namespace gnomon::coll {

using mpi::Comm;
using mpi::Counts;
using mpi::Datatype;
using mpi::Op;

/// MPI_IN_PLACE of the ABI.
inline bool inPlace(const void *buffer) { return reinterpret_cast<uintptr_t>(buffer) == 1; }

/// Element \p index of a typed buffer.
inline char *at(void *buffer, int64_t index, const Datatype &type) {
  return static_cast<char *>(buffer) + index * type.extent();
}
inline const char *at(const void *buffer, int64_t index, const Datatype &type) {
  return static_cast<const char *>(buffer) + index * type.extent();
}

/// Where an operation takes place, and how.
struct Call {
  Comm &comm;
  int rank, size;
  int tag; ///< of all its messages; different for operations that overlap in time
  mpi::SendMode mode = mpi::SendMode::Standard; ///< of all its messages
  /// Bytes of a segment, for algorithms that cut messages into segments; 0: whole messages; -1: the
  /// algorithm's own.
  int64_t segment = -1;
  int fanout = 0; ///< chains of a chain, radix of a k-nomial tree; 0: the algorithm's own
  /// Of an operation among some of the communicator's ranks: rank r here is members[r] there. Null:
  /// among all.
  const int *members = nullptr;
};

/// A part of a user's buffer.
struct Block {
  void *data;
  int64_t count;
  const Datatype *type;
  int64_t bytes() const { return count * type->size(); }
};
struct ConstBlock {
  const void *data;
  int64_t count;
  const Datatype *type;
  int64_t bytes() const { return count * type->size(); }
};

struct BarrierArgs : Call {};

struct BcastArgs : Call {
  void *buffer;
  int64_t count;
  const Datatype *type;
  int root;
  int64_t bytes() const { return count * type->size(); }
};

/// What reductions have in common; `send` may be MPI_IN_PLACE (the input is in `recv` then).
struct ReductionArgs : Call {
  const void *send;
  void *recv;
  int64_t count;
  const Datatype *type;
  const Op *op;
  int64_t bytes() const { return count * type->size(); }
  const void *input() const { return inPlace(send) ? recv : send; }
};
struct ReduceArgs : ReductionArgs {
  int root;
};
struct AllreduceArgs : ReductionArgs {};
struct ScanArgs : ReductionArgs {};
struct ExscanArgs : ReductionArgs {};

/// `counts` null: `count` elements to each rank (MPI_Reduce_scatter_block). The input has the
/// blocks of all ranks in order.
struct ReduceScatterArgs : Call {
  const void *send;
  void *recv;
  Counts counts;
  int64_t count;
  const Datatype *type;
  const Op *op;
  int64_t countOf(int r) const { return counts ? counts[r] : count; }
  const void *input() const { return inPlace(send) ? recv : send; }
  int64_t total() const {
    if (!counts)
      return count * size;
    int64_t sum = 0;
    for (int r = 0; r < size; ++r)
      sum += counts[r];
    return sum;
  }
};

/// `send` may be MPI_IN_PLACE at the root; `recv…` is significant only there. `counts` null:
/// `recvCount` elements from each rank, one block after the other (MPI_Gather); else MPI_Gatherv.
struct GatherArgs : Call {
  const void *send;
  int64_t sendCount;
  const Datatype *sendType;
  void *recv;
  int64_t recvCount;
  Counts counts, displacements;
  const Datatype *recvType;
  int root;
  Block recvBlock(int r) const {
    return {at(recv, counts ? displacements[r] : r * recvCount, *recvType),
            counts ? counts[r] : recvCount, recvType};
  }
  /// Bytes of one rank's block (MPI_Gather only).
  int64_t blockBytes() const {
    return rank == root ? recvCount * recvType->size() : sendCount * sendType->size();
  }
};

/// `recv` may be MPI_IN_PLACE at the root; `send…` is significant only there. `counts` as in
/// GatherArgs.
struct ScatterArgs : Call {
  const void *send;
  int64_t sendCount;
  Counts counts, displacements;
  const Datatype *sendType;
  void *recv;
  int64_t recvCount;
  const Datatype *recvType;
  int root;
  ConstBlock sendBlock(int r) const {
    return {at(send, counts ? displacements[r] : r * sendCount, *sendType),
            counts ? counts[r] : sendCount, sendType};
  }
  int64_t blockBytes() const {
    return rank == root ? sendCount * sendType->size() : recvCount * recvType->size();
  }
};

/// `send` may be MPI_IN_PLACE on all ranks. `counts` null: MPI_Allgather; else MPI_Allgatherv.
struct AllgatherBase : Call {
  const void *send;
  int64_t sendCount;
  const Datatype *sendType;
  void *recv;
  int64_t recvCount;
  Counts counts, displacements;
  const Datatype *recvType;
  Block recvBlock(int r) const {
    return {at(recv, counts ? displacements[r] : r * recvCount, *recvType),
            counts ? counts[r] : recvCount, recvType};
  }
  int64_t totalBytes() const {
    if (!counts)
      return recvCount * size * recvType->size();
    int64_t sum = 0;
    for (int r = 0; r < size; ++r)
      sum += counts[r];
    return sum * recvType->size();
  }
  /// The rank's own contribution, wherever it is.
  ConstBlock own() const {
    if (!inPlace(send))
      return {send, sendCount, sendType};
    const Block block = recvBlock(rank);
    return {block.data, block.count, block.type};
  }
};
struct AllgatherArgs : AllgatherBase {};
struct AllgathervArgs : AllgatherBase {};

/// `send` is never MPI_IN_PLACE: the entry copies the input aside, and says so in `fromReceived`.
struct AlltoallArgs : Call {
  const void *send;
  int64_t sendCount;
  const Datatype *sendType;
  void *recv;
  int64_t recvCount;
  const Datatype *recvType;
  bool fromReceived = false;
  ConstBlock sendBlock(int r) const {
    return {at(send, r * sendCount, *sendType), sendCount, sendType};
  }
  Block recvBlock(int r) const { return {at(recv, r * recvCount, *recvType), recvCount, recvType}; }
  int64_t blockBytes() const { return recvCount * recvType->size(); }
};

struct AlltoallvArgs : Call {
  const void *send;
  Counts sendCounts, sendDisplacements;
  const Datatype *sendType;
  void *recv;
  Counts recvCounts, recvDisplacements;
  const Datatype *recvType;
  bool fromReceived = false;
  ConstBlock sendBlock(int r) const {
    return {at(send, sendDisplacements[r], *sendType), sendCounts[r], sendType};
  }
  Block recvBlock(int r) const {
    return {at(recv, recvDisplacements[r], *recvType), recvCounts[r], recvType};
  }
};

/// A block to each of the neighbours that a topology gives the rank, and one from each, in the
/// topology's order; no block for a negative neighbour (MPI_PROC_NULL).
struct NeighborArgs : Call {
  std::vector<int> destinations = {}, sources = {};
  std::vector<ConstBlock> out = {}; ///< by destination
  std::vector<Block> in = {};       ///< by source
  /// Neighbours are pairs, below and above in each dimension: what a rank sends down, the other one
  /// receives from above.
  bool grid = false;
};

/// Displacements in bytes, a type for each peer.
struct AlltoallwArgs : Call {
  const void *send;
  Counts sendCounts, sendDisplacements;
  const Datatype *const *sendTypes;
  void *recv;
  Counts recvCounts, recvDisplacements;
  const Datatype *const *recvTypes;
  bool fromReceived = false;
  ConstBlock sendBlock(int r) const {
    return {static_cast<const char *>(send) + sendDisplacements[r], sendCounts[r], sendTypes[r]};
  }
  Block recvBlock(int r) const {
    return {static_cast<char *>(recv) + recvDisplacements[r], recvCounts[r], recvTypes[r]};
  }
};

} // namespace gnomon::coll
