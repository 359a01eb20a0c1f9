// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Who waits at which descriptor, in the order in which they came.
#include "process/ranks/Descriptors.h"

#include "process/image/Real.h"
#include "process/ranks/World.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <vector>

namespace gnomon::process {

namespace {

struct Waiter {
  kernel::Fiber *fiber;
  pollfd wanted;
};

std::vector<Waiter> &waiters() {
  static auto *all = new std::vector<Waiter>;
  return *all;
}

/// Asks the system about all of them; wakes those that need not wait any more. False: none.
bool wakeReady(int milliseconds) {
  std::vector<pollfd> wanted;
  for (const Waiter &waiter : waiters())
    wanted.push_back(waiter.wanted);
  if (wanted.empty() || GNOMON_REAL(poll)(wanted.data(), wanted.size(), milliseconds) <= 0)
    return false;
  std::vector<Waiter> left;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].revents)
      world().engine.wake(*waiters()[i].fiber);
    else
      left.push_back(waiters()[i]);
  }
  waiters() = std::move(left);
  return true;
}

} // namespace

bool isReady(int descriptor, short events) {
  pollfd wanted{descriptor, events, 0};
  return GNOMON_REAL(poll)(&wanted, 1, 0) != 0;
}

void awaitDescriptor(Rank &rank, int descriptor, short events, const char *function) {
  auto outerDescribe = rank.describeWait;
  auto outerWhat = rank.waitsFor;
  auto outerList = rank.listAwaited;
  rank.describeWait = [](const Rank &, const void *) {
    return std::string("the other end of a descriptor");
  };
  rank.waitsFor = function;
  rank.listAwaited = nullptr;
  while (!isReady(descriptor, events)) {
    waiters().push_back({world().engine.current(), {descriptor, events, 0}});
    world().engine.park();
  }
  rank.describeWait = outerDescribe;
  rank.waitsFor = outerWhat;
  rank.listAwaited = outerList;
}

void descriptorsChanged() {
  if (waiters().empty())
    return;
  const int error = errno;
  wakeReady(0);
  errno = error;
}

bool waitForDescriptors() {
  const double seconds = settings().stallSeconds;
  return wakeReady(seconds > 0 ? static_cast<int>(std::min(seconds * 1e3, 2e9)) : -1);
}

} // namespace gnomon::process
