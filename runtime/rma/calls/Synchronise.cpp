// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that synchronise windows: what is left of the arguments to check, then
/// Synchronise.h.
#include "rma/Synchronise.h"
#include "impl/Impl.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

constexpr int Assertions =
    MPI_MODE_NOCHECK | MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT | MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED;

int checkAssertions(Win &win, int assertions) {
  if ((assertions & ~Assertions) == 0)
    return MPI_SUCCESS;
  return failOn(win, MPI_ERR_ASSERT, fmt::format("invalid assert: {}", assertions));
}

int checkTarget(Win &win, int rank) {
  if ((rank >= 0 && rank < win.size()) || rank == MPI_PROC_NULL)
    return MPI_SUCCESS;
  return failOn(win, MPI_ERR_RANK, fmt::format("invalid rank: {} of {} ranks", rank, win.size()));
}

} // namespace

int Win_fence(int assertions, Win &win) {
  if (int error = checkAssertions(win, assertions))
    return error;
  return rma::fence(win, assertions);
}

int Win_post(Group &group, int assertions, Win &win) {
  if (int error = checkAssertions(win, assertions))
    return error;
  return rma::post(win, group, assertions);
}

int Win_start(Group &group, int assertions, Win &win) {
  if (int error = checkAssertions(win, assertions))
    return error;
  return rma::start(win, group, assertions);
}

int Win_complete(Win &win) { return rma::complete(win); }
int Win_wait(Win &win) { return rma::wait(win); }
int Win_test(Win &win, int *flag) { return rma::test(win, flag); }

int Win_lock(int lock_type, int rank, int assertions, Win &win) {
  if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
    return failOn(
        win, MPI_ERR_LOCKTYPE,
        fmt::format("invalid lock_type: {} is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED",
                    lock_type));
  if (int error = checkTarget(win, rank))
    return error;
  if (int error = checkAssertions(win, assertions))
    return error;
  const auto mode = lock_type == MPI_LOCK_SHARED ? rma::LockMode::Shared : rma::LockMode::Exclusive;
  return rma::lock(win, mode, rank, assertions);
}

int Win_unlock(int rank, Win &win) {
  if (int error = checkTarget(win, rank))
    return error;
  return rma::unlock(win, rank);
}

int Win_lock_all(int assertions, Win &win) {
  if (int error = checkAssertions(win, assertions))
    return error;
  return rma::lockAll(win, assertions);
}

int Win_unlock_all(Win &win) { return rma::unlockAll(win); }

int Win_flush(int rank, Win &win) {
  if (int error = checkTarget(win, rank))
    return error;
  return rma::flush(win, rank);
}

int Win_flush_all(Win &win) { return rma::flush(win, rma::Locks::AllTargets); }

int Win_flush_local(int rank, Win &win) {
  if (int error = checkTarget(win, rank))
    return error;
  return rma::flushLocal(win, rank);
}

int Win_flush_local_all(Win &win) { return rma::flushLocal(win, rma::Locks::AllTargets); }

int Win_sync(Win &win) { return rma::sync(win); }

} // namespace gnomon::impl
