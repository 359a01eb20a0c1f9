// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Communicators as formats see them that have only ranks of MPI_COMM_WORLD.
#pragma once

#include "trace/Record.h"

#include <optional>

namespace gnomon::trace {

class Groups {
public:
  /// Costs O(members of all communicators); made once a trace.
  explicit Groups(const Source &source);

  /// Whether the communicator has all processes of MPI_COMM_WORLD in its order.
  bool isWorld(int64_t comm) const;
  /// Of the local group; for \p rank of MPI_COMM_WORLD. 0: no such communicator.
  uint32_t size(int64_t comm) const;
  /// The rank in MPI_COMM_WORLD of the peer; nothing where there is none (an intercommunicator's is
  /// in its remote group).
  std::optional<uint32_t> world(int64_t comm, int64_t peer, uint32_t rank) const;
  /// The rank that \p rank of MPI_COMM_WORLD has in the communicator.
  std::optional<uint32_t> rankIn(int64_t comm, uint32_t rank) const;
  bool isInter(int64_t comm) const;

  /// A tag that no other communicator has: formats without communicators tell messages apart by it.
  /// At most \p most; nothing where tag or row is too large for that.
  std::optional<int64_t> flatTag(int64_t comm, int64_t tag, int64_t most) const;

private:
  const Group *group(int64_t comm) const;

  const Source &source_;
  std::vector<bool> isWorld_; ///< by row
};

/// Rows of communicators times this is added to tags.
inline constexpr int64_t TagsOfCommunicator = int64_t{1} << 20;

} // namespace gnomon::trace
