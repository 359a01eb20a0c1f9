// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The automaton of epochs.
#include "rma/Epoch.h"

#include <algorithm>
#include <utility>

namespace gnomon::rma {

bool Epoch::fence(bool last) {
  if (access_ == Access::Started || passive() || exposed_)
    return false;
  access_ = last ? Access::None : Access::Fence;
  return true;
}

bool Epoch::start(std::vector<int> targets) {
  if (!mayBegin())
    return false;
  std::sort(targets.begin(), targets.end());
  started_ = std::move(targets);
  access_ = Access::Started;
  return true;
}

bool Epoch::complete() {
  if (access_ != Access::Started)
    return false;
  access_ = Access::None;
  started_.clear();
  return true;
}

bool Epoch::post(std::vector<int> origins) {
  if (exposed_)
    return false;
  exposed_ = true;
  exposedTo_ = std::move(origins);
  return true;
}

bool Epoch::endExposure() {
  if (!exposed_)
    return false;
  exposed_ = false;
  exposedTo_.clear();
  return true;
}

bool Epoch::lock(int target, bool held) {
  if (!mayBegin() && access_ != Access::Locked)
    return false;
  if (!locks_.try_emplace(target, held).second)
    return false;
  access_ = Access::Locked;
  return true;
}

bool Epoch::unlock(int target) {
  if (access_ != Access::Locked || locks_.erase(target) == 0)
    return false;
  if (locks_.empty())
    access_ = Access::None;
  return true;
}

bool Epoch::lockAll(bool held) {
  if (!mayBegin())
    return false;
  access_ = Access::LockedAll;
  holdsAll_ = held;
  return true;
}

bool Epoch::unlockAll() {
  if (access_ != Access::LockedAll)
    return false;
  access_ = Access::None;
  return true;
}

bool Epoch::operation(int target, bool withRequest) {
  switch (access_) {
  case Access::None:
    return false;
  case Access::Fence:
  case Access::FenceUsed:
    if (withRequest)
      return false;
    access_ = Access::FenceUsed;
    return true;
  case Access::Started:
    if (target < 0)
      return !withRequest;
    return !withRequest && std::binary_search(started_.begin(), started_.end(), target);
  case Access::Locked:
    return target < 0 || locks_.count(target) > 0;
  case Access::LockedAll:
    return true;
  }
  return false;
}

bool Epoch::mayFlush(int target) const {
  return access_ == Access::LockedAll || (access_ == Access::Locked && locks_.count(target) > 0);
}

bool Epoch::mayFree() const {
  return access_ != Access::Started && access_ != Access::FenceUsed && !passive() && !exposed_;
}

} // namespace gnomon::rma
