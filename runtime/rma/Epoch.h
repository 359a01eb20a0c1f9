// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The epochs of one rank on one window (MPI 4.1, section 12.5): which calls are legal when. Each
/// function says whether the call may be made now and, if so, makes the change of state; false is
/// MPI_ERR_RMA_SYNC. Pure logic: no time, no messages.
///
/// A fence that is followed by no operation is no epoch: whatever may begin after it ends it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace gnomon::rma {

class Epoch {
public:
  /// What a rank does as an origin.
  enum class Access : uint8_t {
    None,
    Fence,     ///< after a fence that others may follow
    FenceUsed, ///< the same, and operations have been issued
    Started,   ///< MPI_Win_start
    Locked,    ///< MPI_Win_lock, of the targets in locks()
    LockedAll
  };

  Access access() const { return access_; }
  bool exposed() const { return exposed_; }
  bool passive() const { return access_ == Access::Locked || access_ == Access::LockedAll; }
  /// Targets that are locked, and whether a lock is really held (no MPI_MODE_NOCHECK).
  const std::map<int, bool> &locks() const { return locks_; }
  const std::vector<int> &started() const { return started_; }
  const std::vector<int> &exposedTo() const { return exposedTo_; }
  bool holdsAll() const { return holdsAll_; }

  /// \p last: MPI_MODE_NOSUCCEED.
  bool fence(bool last);
  bool start(std::vector<int> targets);
  bool complete();
  bool post(std::vector<int> origins);
  /// MPI_Win_wait or a successful MPI_Win_test.
  bool endExposure();
  bool lock(int target, bool held);
  bool unlock(int target);
  bool lockAll(bool held);
  bool unlockAll();
  /// An operation on \p target (a negative one, MPI_PROC_NULL, may always be accessed within an
  /// epoch); \p withRequest: the forms that are legal in passive epochs only.
  bool operation(int target, bool withRequest);
  bool mayFlush(int target) const;
  bool mayFlushAll() const { return passive(); }
  /// Not while operations may be under way: those behind a fence need another one.
  bool mayFree() const;

private:
  bool mayBegin() const { return access_ == Access::None || access_ == Access::Fence; }

  Access access_ = Access::None;
  bool exposed_ = false, holdsAll_ = false;
  std::map<int, bool> locks_;
  std::vector<int> started_, exposedTo_; ///< sorted; in order of the group
};

} // namespace gnomon::rma
