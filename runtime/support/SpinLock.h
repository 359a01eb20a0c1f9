// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A lock that is held for a few steps at a time. A mutex of libc's would be a rank's in a
/// simulation, whose threads are fibers.
#pragma once

#include <atomic>
#include <mutex>

namespace gnomon {

class SpinLock {
public:
  void lock() {
    while (held_.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { held_.clear(std::memory_order_release); }

private:
  std::atomic_flag held_;
};

/// Holds a lock, and says so in a variable of the thread: who is called meanwhile, such as malloc,
/// sees that the lock is held by its own thread, and leaves alone what it protects.
class SpinGuard {
public:
  SpinGuard(SpinLock &lock, bool &inside) : guard_(lock), inside_(inside) { inside_ = true; }
  ~SpinGuard() { inside_ = false; }
  SpinGuard(const SpinGuard &) = delete;
  SpinGuard &operator=(const SpinGuard &) = delete;

private:
  std::lock_guard<SpinLock> guard_;
  bool &inside_;
};

} // namespace gnomon
