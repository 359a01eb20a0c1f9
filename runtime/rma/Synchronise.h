// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Synchronisation of windows: what each call waits for, and by which messages a rank learns of it.
/// A word is a message without payload; operations are those of the caller on the window.
///
///     fence      all operations are complete, then a barrier
///     post       a word to each origin of the group
///     start      waits for the word of each target of the group
///     complete   a word to each target, with the number of operations; waits until the buffers of
///                operations are free and their answers there
///     wait       waits for the word of each origin, and for as many operations as it says
///     lock       a word to the target; waits for the word that grants it
///     unlock     a word to the target; waits until operations have taken effect and their answers
///                are there; if some had no answer, for a word of the target. The lock is given
///                back when the word and all operations have arrived.
///     lock_all   as lock, at rank 0, for all targets at once
///     unlock_all flush_all, then a word to rank 0, for which nobody waits
///     flush      as unlock, without the lock: a word of the target if operations had no answer
///     flush_local  waits until buffers are free and answers there
///
/// MPI_MODE_NOCHECK spares lock, lock_all, post and start their words.
///
/// A call that has nothing to wait for (sync; flush when all is complete) may stand in a loop that
/// reads window memory until another rank changes it. Were it free, time would stand still there: a
/// second such call in a row, with nothing at all happening in between, costs what a failed
/// MPI_Test costs (smpi/test, at least 100 ns), and counts as a failed poll (mpi/request/Polling.h), so
/// that a loop that nobody can end is found.
#pragma once

#include "mpi/comm/Group.h"
#include "rma/Window.h"

#include <vector>

namespace gnomon::rma {

// All return an MPI error class. The epochs' rules are checked here; other arguments have been.
int fence(mpi::Win &win, int assertions);
int post(mpi::Win &win, const mpi::Group &group, int assertions);
int start(mpi::Win &win, const mpi::Group &group, int assertions);
int complete(mpi::Win &win);
int wait(mpi::Win &win);
int test(mpi::Win &win, int *flag);
int lock(mpi::Win &win, LockMode mode, int target, int assertions);
int unlock(mpi::Win &win, int target);
int lockAll(mpi::Win &win, int assertions);
int unlockAll(mpi::Win &win);
/// \p target: Locks::AllTargets for all of them.
int flush(mpi::Win &win, int target);
int flushLocal(mpi::Win &win, int target);
int sync(mpi::Win &win);

// What the calls share.

/// The end of a call that may not be made in the present epoch.
int wrongEpoch(mpi::Win &win, const char *why);
/// Ranks on which something is under way (WaitNote::awaited).
std::vector<int> busyTargets(const WaitNote &note);

} // namespace gnomon::rma
