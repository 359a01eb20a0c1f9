// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Synchronisation that the target takes no part in: locks, flushes and sync. Synchronise.h has the
/// table.
#include "rma/Synchronise.h"

#include "mpi.h"
#include "mpi/RankState.h"
#include "mpi/request/Polling.h"
#include "rma/Operation.h"

#include <algorithm>
#include <utility>

namespace gnomon::rma {

namespace {

/// Of a call that only polls, at the least: with no cost at all the run would never end.
constexpr double LeastPollSeconds = 1e-7;

bool isNull(int target) { return target == MPI_PROC_NULL; }

/// A word of the keeper of a lock to who has it now.
void tellGranted(const std::shared_ptr<Shared> &window, Locks::Grant granted) {
  const int keeper = granted.target == Locks::AllTargets ? 0 : granted.target;
  Shared *shared = window.get();
  signal(window, keeper, granted.origin, [shared, granted] {
    mpi::Win &win = *shared->ends[static_cast<size_t>(granted.origin)];
    win.grantedLocks.insert(granted.target);
    win.stir();
  });
}

void grant(const std::shared_ptr<Shared> &window, const std::vector<Locks::Grant> &grants) {
  for (const Locks::Grant &granted : grants)
    tellGranted(window, granted);
}

std::vector<int> holdersOf(const WaitNote &note) {
  return note.window.shared().locks.holders(note.rank);
}

/// Asks the keeper of \p target (or of all) for it, and waits until it is granted.
void acquire(mpi::Win &win, int target, LockMode mode) {
  const std::shared_ptr<Shared> window = win.sharedRef();
  const int origin = win.rank();
  Shared *shared = window.get();
  signal(window, origin, std::max(target, 0), [shared, origin, target, mode] {
    if (shared->locks.request(origin, target, mode))
      tellGranted(shared->shared_from_this(), {origin, target});
  });
  win.await({win, "the lock of", target, holdersOf},
            [&] { return win.grantedLocks.contains(target); });
  win.grantedLocks.erase(target);
}

/// A word of the target to the origin: all operations below \p number have taken effect.
void acknowledge(const std::shared_ptr<Shared> &window, int origin, int target, uint64_t number) {
  Shared *shared = window.get();
  signal(window, target, origin, [shared, origin, target, number] {
    mpi::Win &win = *shared->ends[static_cast<size_t>(origin)];
    uint64_t &acknowledged = win.target(target).acknowledged;
    acknowledged = std::max(acknowledged, number);
    win.stir();
  });
}

/// Runs \p happen when all operations below \p number have taken effect.
void whenApplied(Target &target, uint64_t number, std::function<void()> happen) {
  if (target.applied.below() >= number)
    happen();
  else
    target.whenApplied.emplace(number, std::move(happen));
}

/// What a call waits for on one target, of what had been issued when it was made.
struct Open {
  const Target &target;
  uint64_t issued, unanswered;

  explicit Open(const Target &target)
      : target(target), issued(target.issued), unanswered(target.unanswered) {}
  bool isDone() const {
    return target.finished.below() >= issued && target.acknowledged >= unanswered;
  }
};

/// Whether nobody has asked yet for the word that tells of the operations without an answer. From
/// now on somebody has.
bool asksForWord(Target &target) {
  if (target.asked >= target.unanswered)
    return false;
  target.asked = target.issued;
  return true;
}

/// A call has found nothing to wait for: it may be a poll of window memory.
void noteIdle(mpi::Win &win) {
  mpi::RankState &state = mpi::state(win.owner());
  const uint64_t progress = state.runtime.fabric.statistics().progress;
  if (progress != win.progressAtSync) {
    win.progressAtSync = progress;
    win.failedSyncs = 0;
    return;
  }
  // Nothing at all has happened: each such call takes a little longer than the one before, so that a
  // long wait is few calls.
  const double cost = std::max(state.runtime.world.protocol.testSeconds(), LeastPollSeconds);
  mpi::payPoll(state, cost * static_cast<double>(1 + win.failedSyncs), 0);
  mpi::pollFailed(state, win.failedSyncs);
}

} // namespace

int lock(mpi::Win &win, LockMode mode, int target, int assertions) {
  const bool held = !isNull(target) && !(assertions & MPI_MODE_NOCHECK);
  if (!win.epoch.lock(target, held))
    return wrongEpoch(win,
                      "the target is locked already, or the rank is in an epoch of another kind");
  if (held)
    acquire(win, target, mode);
  return MPI_SUCCESS;
}

/// The word of an unlock. Once all operations before it have taken effect as well, the target's
/// word of that is sent if the origin \p asks for it, and the lock given back if it is \p held.
static void sendUnlock(mpi::Win &win, int target, bool held, bool asks) {
  Shared *shared = win.sharedRef().get();
  const int origin = win.rank();
  const uint64_t issued = win.target(target).issued;
  signal(win.sharedRef(), origin, target, [shared, origin, target, held, asks, issued] {
    auto done = [shared, origin, target, held, asks, issued] {
      const std::shared_ptr<Shared> window = shared->shared_from_this();
      if (asks)
        acknowledge(window, origin, target, issued);
      if (held)
        grant(window, window->locks.release(origin, target));
    };
    // Who had only answers to wait for may have freed the window.
    if (mpi::Win *end = shared->ends[static_cast<size_t>(origin)])
      whenApplied(end->target(target), issued, done);
    else
      done();
  });
}

int unlock(mpi::Win &win, int target) {
  auto locked = win.epoch.locks().find(target);
  const bool held = locked != win.epoch.locks().end() && locked->second;
  if (!win.epoch.unlock(target))
    return wrongEpoch(win, "the target is not locked");
  if (isNull(target))
    return MPI_SUCCESS;
  Target &own = win.target(target);
  const Open open(own);
  const bool asks = asksForWord(own);
  if (held || asks)
    sendUnlock(win, target, held, asks);
  else if (open.isDone())
    noteIdle(win);
  win.await({win, "operations on", target}, [&] { return open.isDone(); });
  return MPI_SUCCESS;
}

int lockAll(mpi::Win &win, int assertions) {
  const bool held = !(assertions & MPI_MODE_NOCHECK);
  if (!win.epoch.lockAll(held))
    return wrongEpoch(win, "the rank is in an epoch of another kind");
  if (held)
    acquire(win, Locks::AllTargets, LockMode::Shared);
  return MPI_SUCCESS;
}

/// Waits for all operations on the targets, and for their acknowledgements.
static void flushTargets(mpi::Win &win, int only) {
  std::vector<Open> open;
  std::vector<int> asked;
  for (auto &[rank, target] : win.targets()) {
    if (only != Locks::AllTargets && rank != only)
      continue;
    if (const Open one(target); !one.isDone())
      open.push_back(one);
    if (asksForWord(target))
      asked.push_back(rank);
  }
  if (open.empty())
    return noteIdle(win);
  // Polls of messages around it do not follow one another.
  mpi::RankState &state = mpi::state(win.owner());
  state.failedTests = state.failedTestanys = state.failedProbes = 0;
  Shared *shared = win.sharedRef().get();
  const int origin = win.rank();
  for (int rank : asked) {
    Target &target = win.target(rank);
    const uint64_t issued = target.issued;
    whenApplied(target, issued, [shared, origin, rank, issued] {
      acknowledge(shared->shared_from_this(), origin, rank, issued);
    });
  }
  win.await({win, "operations on", only, only == Locks::AllTargets ? busyTargets : nullptr}, [&] {
    return std::all_of(open.begin(), open.end(), [](const Open &one) { return one.isDone(); });
  });
}

int unlockAll(mpi::Win &win) {
  const bool held = win.epoch.holdsAll();
  if (!win.epoch.unlockAll())
    return wrongEpoch(win, "no MPI_Win_lock_all before");
  flushTargets(win, Locks::AllTargets);
  if (!held)
    return MPI_SUCCESS;
  const int origin = win.rank();
  Shared *shared = win.sharedRef().get();
  signal(win.sharedRef(), origin, 0, [shared, origin] {
    grant(shared->shared_from_this(), shared->locks.release(origin, Locks::AllTargets));
  });
  return MPI_SUCCESS;
}

int flush(mpi::Win &win, int target) {
  if (target == Locks::AllTargets ? !win.epoch.mayFlushAll() : !win.epoch.mayFlush(target))
    return wrongEpoch(win, "the target is not locked");
  if (!isNull(target))
    flushTargets(win, target);
  return MPI_SUCCESS;
}

int flushLocal(mpi::Win &win, int target) {
  if (target == Locks::AllTargets ? !win.epoch.mayFlushAll() : !win.epoch.mayFlush(target))
    return wrongEpoch(win, "the target is not locked");
  if (isNull(target))
    return MPI_SUCCESS;
  std::vector<std::pair<const Target *, uint64_t>> open;
  for (const auto &[rank, own] : win.targets())
    if (target == Locks::AllTargets || rank == target)
      open.emplace_back(&own, own.issued);
  auto done = [&] {
    return std::all_of(open.begin(), open.end(),
                       [](const auto &one) { return one.first->freed.below() >= one.second; });
  };
  if (done())
    noteIdle(win);
  else
    win.await({win, "operations on", target, target == Locks::AllTargets ? busyTargets : nullptr},
              done);
  return MPI_SUCCESS;
}

int sync(mpi::Win &win) {
  noteIdle(win);
  return MPI_SUCCESS;
}

} // namespace gnomon::rma
