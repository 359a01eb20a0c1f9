// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/RangeLocks.h"

#include <algorithm>
#include <vector>

namespace gnomon::io {

bool RangeLocks::mustWait(Handle lock) {
  return std::any_of(locks_.begin(), lock, [&](const Lock &earlier) {
    return earlier.begin < lock->end && lock->begin < earlier.end &&
           (earlier.exclusive || lock->exclusive);
  });
}

RangeLocks::Handle RangeLocks::acquire(int64_t begin, int64_t end, bool exclusive,
                                       kernel::Action granted) {
  const Handle lock = locks_.insert(locks_.end(), {begin, end, exclusive, false, granted});
  if (!mustWait(lock)) {
    lock->held = true;
    granted();
  }
  return lock;
}

void RangeLocks::release(Handle released) {
  locks_.erase(released);
  // First who may go on, then they go on: what they do may ask for locks, or release them.
  std::vector<kernel::Action> next;
  for (Handle lock = locks_.begin(); lock != locks_.end(); ++lock)
    if (!lock->held && !mustWait(lock)) {
      lock->held = true;
      next.push_back(lock->granted);
    }
  for (const kernel::Action &granted : next)
    granted();
}

} // namespace gnomon::io
