// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Synchronisation in which the target takes part: fences; post, start, complete and wait.
/// Synchronise.h has the table.
#include "rma/Synchronise.h"

#include "mpi.h"
#include "mpi/RankState.h"
#include "mpi/request/Polling.h"
#include "rma/Operation.h"

#include <algorithm>
#include <utility>

namespace gnomon::rma {

namespace {

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

std::vector<int> busyTargets(const WaitNote &note) {
  std::vector<int> busy;
  for (auto &[rank, target] : const_cast<mpi::Win &>(note.window).targets())
    if (!target.isIdle())
      busy.push_back(rank);
  return busy;
}

int fence(mpi::Win &win, int assertions) {
  if (!win.epoch.fence((assertions & MPI_MODE_NOSUCCEED) != 0))
    return wrongEpoch(win, "a fence within an epoch of another kind");
  win.await({win, "operations on", -1, busyTargets}, [&] { return win.unfinished == 0; });
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
  *flag = mpi::poll(state, state.runtime.world.protocol.testSeconds(), win.failedTests,
                    {.isKnown = false}, [&] { return mpi::findsOther(state, allTold(win)); });
  if (*flag)
    endExposure(win);
  return MPI_SUCCESS;
}

} // namespace gnomon::rma
