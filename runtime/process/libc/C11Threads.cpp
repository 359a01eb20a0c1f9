// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// threads.h: in glibc the same objects as pthreads' under other names, with results of its own.
#include "process/image/Modules.h"
#include "process/libc/Thread.h"

#include <cerrno>
#include <threads.h>

namespace gnomon::process {
namespace {

int resultOf(int error) {
  switch (error) {
  case 0:
    return thrd_success;
  case EBUSY:
    return thrd_busy;
  case ETIMEDOUT:
    return thrd_timedout;
  case ENOMEM:
    return thrd_nomem;
  default:
    return thrd_error;
  }
}

pthread_mutex_t *mutexOf(mtx_t *mutex) { return reinterpret_cast<pthread_mutex_t *>(mutex); }
pthread_cond_t *conditionOf(cnd_t *condition) {
  return reinterpret_cast<pthread_cond_t *>(condition);
}

struct Start {
  thrd_start_t function;
  void *argument;
};

void *run(void *argument) {
  const Start start = *static_cast<Start *>(argument);
  delete static_cast<Start *>(argument);
  return reinterpret_cast<void *>(static_cast<intptr_t>(start.function(start.argument)));
}

} // namespace
} // namespace gnomon::process

using namespace gnomon::process;

GNOMON_INTERPOSE int thrd_create(thrd_t *handle, thrd_start_t function, void *argument) {
  const void *caller = __builtin_return_address(0);
  Rank *rank = callingRank();
  if (!rank || !isProgram(caller))
    return GNOMON_REAL(thrd_create)(handle, function, argument);
  Thread &thread = startThread(*rank, run, new Start{function, argument}, false);
  *handle = reinterpret_cast<thrd_t>(&thread);
  return thrd_success;
}

GNOMON_INTERPOSE int thrd_join(thrd_t handle, int *result) {
  Rank *rank = callingRank();
  if (!rank || !threadOf(*rank, handle))
    return GNOMON_REAL(thrd_join)(handle, result);
  void *value = nullptr;
  const int error = joinThread(*rank, handle, &value, ForEver, __builtin_return_address(0));
  if (!error && result)
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  return resultOf(error);
}

GNOMON_INTERPOSE int thrd_detach(thrd_t handle) {
  Rank *rank = callingRank();
  Thread *thread = rank ? threadOf(*rank, handle) : nullptr;
  if (!thread)
    return GNOMON_REAL(thrd_detach)(handle);
  thread->detached = true;
  return thrd_success;
}

GNOMON_INTERPOSE thrd_t thrd_current() {
  Rank *rank = callingRank();
  Thread *thread = rank ? currentThread(*rank) : nullptr;
  return thread && thread->number > 0 ? reinterpret_cast<thrd_t>(thread)
                                      : GNOMON_REAL(thrd_current)();
}

GNOMON_INTERPOSE void thrd_exit(int result) {
  Rank *rank = callingRank();
  if (rank && !rank->threads)
    exitRank(0, true);
  if (rank)
    endThreadAfterCleanup(*rank, reinterpret_cast<void *>(static_cast<intptr_t>(result)));
  GNOMON_REAL(thrd_exit)(result);
  __builtin_unreachable();
}

GNOMON_INTERPOSE void thrd_yield() {
  if (Rank *rank = threadedRank())
    letOthersRun(*rank, "thrd_yield", __builtin_return_address(0));
  else
    GNOMON_REAL(thrd_yield)();
}

GNOMON_INTERPOSE int mtx_lock(mtx_t *mutex) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(mtx_lock)(mutex);
  InCall call(*rank, "mtx_lock", __builtin_return_address(0));
  return resultOf(lockMutex(*rank, mutexOf(mutex), ForEver, "mtx_lock"));
}

GNOMON_INTERPOSE int mtx_trylock(mtx_t *mutex) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(mtx_trylock)(mutex);
  InCall call(*rank, "mtx_trylock", __builtin_return_address(0));
  return resultOf(tryMutex(*rank, mutexOf(mutex)));
}

GNOMON_INTERPOSE int mtx_timedlock(mtx_t *mutex, const timespec *time) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(mtx_timedlock)(mutex, time);
  InCall call(*rank, "mtx_timedlock", __builtin_return_address(0));
  return resultOf(lockMutex(*rank, mutexOf(mutex), secondsUntil(*rank, CLOCK_REALTIME, *time),
                            "mtx_timedlock"));
}

GNOMON_INTERPOSE int mtx_unlock(mtx_t *mutex) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(mtx_unlock)(mutex);
  InCall call(*rank, "mtx_unlock", __builtin_return_address(0));
  return resultOf(unlockMutex(*rank, mutexOf(mutex)));
}

GNOMON_INTERPOSE int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(cnd_wait)(condition, mutex);
  return resultOf(waitCondition(*rank, conditionOf(condition), mutexOf(mutex), ForEver, "cnd_wait",
                                __builtin_return_address(0)));
}

GNOMON_INTERPOSE int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const timespec *time) {
  Rank *rank = threadedRank();
  if (!rank)
    return GNOMON_REAL(cnd_timedwait)(condition, mutex, time);
  return resultOf(waitCondition(*rank, conditionOf(condition), mutexOf(mutex),
                                secondsUntil(*rank, CLOCK_REALTIME, *time), "cnd_timedwait",
                                __builtin_return_address(0)));
}

GNOMON_INTERPOSE int cnd_signal(cnd_t *condition) {
  if (Rank *rank = threadedRank()) {
    InCall call(*rank, "cnd_signal", __builtin_return_address(0));
    wakeSleepers(condition, 1);
  }
  return GNOMON_REAL(cnd_signal)(condition);
}

GNOMON_INTERPOSE int cnd_broadcast(cnd_t *condition) {
  if (Rank *rank = threadedRank()) {
    InCall call(*rank, "cnd_broadcast", __builtin_return_address(0));
    wakeSleepers(condition, SIZE_MAX);
  }
  return GNOMON_REAL(cnd_broadcast)(condition);
}

GNOMON_INTERPOSE void call_once(once_flag *flag, void (*function)()) {
  // A pthread_once_t in a structure.
  if (Rank *rank = threadedRank())
    runOnce(*rank, reinterpret_cast<pthread_once_t *>(flag), function, __builtin_return_address(0));
  else
    GNOMON_REAL(call_once)(flag, function);
}
