// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The locks of one window: one per target, and the lock of all targets at once (MPI_Win_lock_all),
/// which counts as a shared lock of each.
///
///     exclusive lock of t  granted when nobody holds t, nor all targets
///     shared lock of t     granted when nobody holds t exclusively
///     lock of all          granted when no target is held exclusively
///
/// Requests for one target are granted in the order in which they arrive; a lock of all waits for
/// the exclusive locks that are held, and does not hold up those that arrive later: it has no place
/// in their queues, so that ranks that lock several targets in turn cannot block each other through
/// it. Pure logic: no time, no messages.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace gnomon::rma {

enum class LockMode : uint8_t { Shared, Exclusive };

class Locks {
public:
  /// Stands for all targets at once.
  static constexpr int AllTargets = -1;

  struct Grant {
    int origin, target;
    friend bool operator==(const Grant &, const Grant &) = default;
  };

  /// \p origin asks for \p target (or AllTargets, in mode Shared). True: it has it at once; else it
  /// will be among what a release() grants.
  bool request(int origin, int target, LockMode mode);
  /// Gives back what was granted to \p origin; what can be granted now, in order.
  std::vector<Grant> release(int origin, int target);

  /// Who holds \p target (holders of all targets included), in the order of granting.
  std::vector<int> holders(int target) const;

private:
  struct Request {
    int origin;
    LockMode mode;
  };
  struct Lock {
    std::vector<int> holders;
    bool exclusive = false;
    std::deque<Request> waiting;
  };
  bool grantable(const Lock &lock, LockMode mode) const;
  void take(Lock &lock, int origin, LockMode mode);
  void serve(int target, std::vector<Grant> &grants);

  std::map<int, Lock> locks_;
  std::vector<int> all_;       ///< who holds all targets
  std::deque<int> waitForAll_; ///< who asks for all
  int exclusiveLocks_ = 0;     ///< held
};

} // namespace gnomon::rma
