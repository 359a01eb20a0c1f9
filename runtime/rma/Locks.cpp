// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Granting of locks. Locks.h states the rules.
#include "rma/Locks.h"

#include "support/Check.h"

#include <algorithm>

namespace gnomon::rma {

bool Locks::grantable(const Lock &lock, LockMode mode) const {
  if (mode == LockMode::Shared)
    return !lock.exclusive;
  return lock.holders.empty() && all_.empty();
}

void Locks::take(Lock &lock, int origin, LockMode mode) {
  lock.holders.push_back(origin);
  lock.exclusive = mode == LockMode::Exclusive;
  exclusiveLocks_ += lock.exclusive;
}

bool Locks::request(int origin, int target, LockMode mode) {
  if (target == AllTargets) {
    if (exclusiveLocks_ > 0) {
      waitForAll_.push_back(origin);
      return false;
    }
    all_.push_back(origin);
    return true;
  }
  Lock &lock = locks_[target];
  if (!lock.waiting.empty() || !grantable(lock, mode)) {
    lock.waiting.push_back({origin, mode});
    return false;
  }
  take(lock, origin, mode);
  return true;
}

void Locks::serve(int target, std::vector<Grant> &grants) {
  Lock &lock = locks_[target];
  while (!lock.waiting.empty() && grantable(lock, lock.waiting.front().mode)) {
    const Request request = lock.waiting.front();
    lock.waiting.pop_front();
    take(lock, request.origin, request.mode);
    grants.push_back({request.origin, target});
  }
}

std::vector<Locks::Grant> Locks::release(int origin, int target) {
  std::vector<Grant> grants;
  if (target == AllTargets) {
    CHECK(std::erase(all_, origin) == 1, "a lock of all that is given back was held");
    for (auto &[each, lock] : locks_)
      serve(each, grants);
    return grants;
  }
  Lock &lock = locks_[target];
  CHECK(std::erase(lock.holders, origin) == 1, "a lock that is given back was held");
  if (lock.exclusive) {
    lock.exclusive = false;
    --exclusiveLocks_;
  }
  // First those that wait for all: a queue of exclusive locks would keep them out for ever.
  while (exclusiveLocks_ == 0 && !waitForAll_.empty()) {
    all_.push_back(waitForAll_.front());
    grants.push_back({waitForAll_.front(), AllTargets});
    waitForAll_.pop_front();
  }
  serve(target, grants);
  return grants;
}

std::vector<int> Locks::holders(int target) const {
  std::vector<int> found;
  for (const auto &[each, lock] : locks_)
    if (each == target || (target == AllTargets && lock.exclusive))
      found.insert(found.end(), lock.holders.begin(), lock.holders.end());
  if (target != AllTargets)
    found.insert(found.end(), all_.begin(), all_.end());
  return found;
}

} // namespace gnomon::rma
