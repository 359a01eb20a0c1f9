// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Locks on ranges of a file's bytes, with which accesses in atomic mode keep out of each other's
/// way. A lock waits for all earlier ones, held or waiting, whose range it meets, unless both are
/// for reading; so nobody is overtaken for ever, and the order is that of asking.
#pragma once

#include "kernel/Action.h"

#include <cstdint>
#include <list>

namespace gnomon::io {

class RangeLocks {
  struct Lock {
    int64_t begin, end;
    bool exclusive, held;
    kernel::Action granted;
  };

public:
  using Handle = std::list<Lock>::iterator;

  /// For bytes [begin, end); \p granted runs at once, or when those in the way have been released.
  Handle acquire(int64_t begin, int64_t end, bool exclusive, kernel::Action granted);
  void release(Handle lock);

private:
  /// Whether an earlier lock is in the way of \p lock.
  bool mustWait(Handle lock);

  std::list<Lock> locks_; ///< in the order of asking
};

} // namespace gnomon::io
