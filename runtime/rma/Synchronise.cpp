// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fences, locks and flushes. Synchronise.h has the table.
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

/// Ranks on which something is under way.
std::vector<int> busyTargets(const WaitNote &note) {
  std::vector<int> busy;
  for (auto &[rank, target] : const_cast<mpi::Win &>(note.window).targets())
    if (!target.isIdle())
      busy.push_back(rank);
  return busy;
}

void awaitOperations(mpi::Win &win) {
  win.await({win, "operations on", -1, busyTargets}, [&] { return win.unfinished == 0; });
}

void grant(const std::shared_ptr<Shared> &window, const std::vector<Locks::Grant> &grants);

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
    return;
  }
  const double cost = std::max(state.runtime.world.protocol.testSeconds(), LeastPollSeconds);
  mpi::payPoll(state, cost, 0);
  mpi::pollFailed(state, win.failedSyncs);
}

std::vector<int> ranksOf(mpi::Win &win, const mpi::Group &group, bool &known) {
  std::vector<int> ranks;
  known = true;
  for (int r = 0; r < group.size(); ++r) {
    ranks.push_back(win.comm().members()->rankOf(group.members()->process(r)));
    known &= ranks.back() >= 0;
  }
  return ranks;
}

int strangers(mpi::Win &win) {
  return mpi::failOn(win, MPI_ERR_GROUP, "invalid group: it has members without a part");
}

bool told(mpi::Win &win, int origin) {
  const Told &word = win.told(origin);
  const mpi::Win *there = win.shared().ends[static_cast<size_t>(origin)];
  return !word.completes.empty() && there &&
         const_cast<mpi::Win *>(there)->target(win.rank()).applied.below() >=
             word.completes.front();
}

std::vector<int> openOrigins(const WaitNote &note) {
  auto &win = const_cast<mpi::Win &>(note.window);
  std::vector<int> open;
  for (int origin : win.epoch.exposedTo())
    if (!told(win, origin))
      open.push_back(origin);
  return open;
}

bool allTold(mpi::Win &win) {
  const std::vector<int> &origins = win.epoch.exposedTo();
  return std::all_of(origins.begin(), origins.end(), [&](int origin) { return told(win, origin); });
}

void endExposure(mpi::Win &win) {
  for (int origin : win.epoch.exposedTo())
    win.told(origin).completes.pop_front();
  win.epoch.endExposure();
}

std::vector<int> openTargets(const WaitNote &note) {
  auto &win = const_cast<mpi::Win &>(note.window);
  std::vector<int> open;
  for (int target : win.epoch.started())
    if (win.told(target).posts == 0)
      open.push_back(target);
  return open;
}

} // namespace

int wrongEpoch(mpi::Win &win, const char *why) { return mpi::failOn(win, MPI_ERR_RMA_SYNC, why); }

int fence(mpi::Win &win, int assertions) {
  if (!win.epoch.fence((assertions & MPI_MODE_NOSUCCEED) != 0))
    return wrongEpoch(win, "a fence within an epoch of another kind");
  awaitOperations(win);
  for (auto &[rank, target] : win.targets())
    target.asked = target.acknowledged = target.issued; // the barrier tells of all of them
  meet(win);
  return MPI_SUCCESS;
}

int post(mpi::Win &win, const mpi::Group &group, int assertions) {
  bool known;
  std::vector<int> origins = ranksOf(win, group, known);
  if (!known)
    return strangers(win);
  if (!win.epoch.post(origins))
    return wrongEpoch(win, "the rank's part is exposed already");
  if (assertions & MPI_MODE_NOCHECK)
    return MPI_SUCCESS;
  Shared *shared = win.sharedRef().get();
  const int self = win.rank();
  for (int origin : origins)
    signal(win.sharedRef(), self, origin, [shared, origin, self] {
      mpi::Win *there = shared->ends[static_cast<size_t>(origin)];
      if (!there)
        return;
      ++there->told(self).posts;
      there->stir();
    });
  return MPI_SUCCESS;
}

int start(mpi::Win &win, const mpi::Group &group, int assertions) {
  bool known;
  std::vector<int> targets = ranksOf(win, group, known);
  if (!known)
    return strangers(win);
  if (!win.epoch.start(targets))
    return wrongEpoch(win, "the rank is in an epoch as an origin already");
  if (assertions & MPI_MODE_NOCHECK)
    return MPI_SUCCESS;
  win.await({win, "MPI_Win_post by", -1, openTargets}, [&] {
    return std::all_of(targets.begin(), targets.end(),
                       [&](int target) { return win.told(target).posts > 0; });
  });
  for (int target : targets)
    --win.told(target).posts;
  return MPI_SUCCESS;
}

int complete(mpi::Win &win) {
  const std::vector<int> targets = win.epoch.started();
  if (!win.epoch.complete())
    return wrongEpoch(win, "no MPI_Win_start before");
  Shared *shared = win.sharedRef().get();
  const int self = win.rank();
  for (int target : targets) {
    const uint64_t issued = win.target(target).issued;
    signal(win.sharedRef(), self, target, [shared, target, self, issued] {
      mpi::Win *there = shared->ends[static_cast<size_t>(target)];
      if (!there)
        return;
      there->told(self).completes.push_back(issued);
      there->stir();
    });
  }
  win.await({win, "operations on", -1, busyTargets}, [&] { return win.local == 0; });
  return MPI_SUCCESS;
}

int wait(mpi::Win &win) {
  if (!win.epoch.exposed())
    return wrongEpoch(win, "no MPI_Win_post before");
  win.await({win, "MPI_Win_complete by", -1, openOrigins}, [&] { return allTold(win); });
  endExposure(win);
  return MPI_SUCCESS;
}

int test(mpi::Win &win, int *flag) {
  if (!win.epoch.exposed())
    return wrongEpoch(win, "no MPI_Win_post before");
  mpi::RankState &state = mpi::state(win.owner());
  mpi::payPoll(state, state.runtime.world.protocol.testSeconds(), win.failedTests);
  *flag = allTold(win);
  if (!*flag) {
    mpi::pollFailed(state, win.failedTests);
    return MPI_SUCCESS;
  }
  win.failedTests = 0;
  endExposure(win);
  return MPI_SUCCESS;
}

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
