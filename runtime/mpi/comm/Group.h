// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Groups: ordered sets of processes (MPI 4.1, section 7.3). The members are immutable and shared
/// by all ranks and communicators that have them: a strided range costs a few words whatever its
/// length, so MPI_COMM_WORLD of P ranks does not cost P lists of length P.
#pragma once

#include "mpi/Handle.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace gnomon::mpi {

/// Which processes, in order of rank. A process is named by its number in the initial
/// MPI_COMM_WORLD.
class Members {
public:
  /// first, first + stride, … (count of them).
  static std::shared_ptr<const Members> range(uint32_t first, uint32_t count, int32_t stride = 1);
  /// Any list without duplicates; kept as a range when it is one.
  static std::shared_ptr<const Members> list(std::vector<uint32_t> processes);

  int size() const { return static_cast<int>(count_); }
  uint32_t process(int rank) const {
    return list_.empty() ? first_ + static_cast<uint32_t>(rank * stride_)
                         : list_[static_cast<size_t>(rank)];
  }
  /// The rank of a process; -1 when it is no member. O(1) in a range, O(log size) in a list.
  int rankOf(uint32_t process) const;
  bool sameOrder(const Members &other) const;
  bool sameSet(const Members &other) const;

private:
  uint32_t first_ = 0, count_ = 0;
  int32_t stride_ = 1;
  std::vector<uint32_t> list_;                                  ///< empty for a range
  mutable std::vector<std::pair<uint32_t, int32_t>> byProcess_; ///< made on the first rankOf
};
using MembersRef = std::shared_ptr<const Members>;

/// What an MPI_Group handle names.
class Group {
public:
  /// \p process is the caller's.
  Group(MembersRef members, uint32_t process)
      : members_(std::move(members)), rank_(members_->rankOf(process)) {}

  int size() const { return members_->size(); }
  /// The caller's rank; -1 when it is no member (the user sees MPI_UNDEFINED).
  int rank() const { return rank_; }
  const MembersRef &members() const { return members_; }

private:
  MembersRef members_;
  int rank_;
};

} // namespace gnomon::mpi
