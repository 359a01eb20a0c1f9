// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the files about threads share. A rank that has started no thread has nothing to do with any
/// of this: its calls go on to libc. In one that has, whatever may wait first enters the runtime,
/// so that what was computed before is charged and simulated time orders who comes first.
#pragma once

#include "process/libc/Interpose.h"
#include "process/ranks/Threads.h"

#include <ctime>
#include <pthread.h>

namespace gnomon::process {

/// The rank whose own code calls, if it has threads.
inline Rank *threadedRank() {
  Rank *rank = callingRank();
  return rank && rank->threads && rank->burst.inProgram() ? rank : nullptr;
}

/// Whether \p caller is code of a library whose threads are the process's own (OpenMP's): what it
/// waits for, they do.
bool isForeign(const void *caller);

/// The thread is in a call of libc's while this lives.
class InCall {
public:
  InCall(Rank &rank, const char *function, const void *caller) : rank_(rank), outer_(rank.call) {
    if (!rank.call.function)
      rank.call = {function, caller};
    enterRuntime(rank);
  }
  ~InCall() {
    rank_.call = outer_;
    leaveRuntime(rank_);
  }
  InCall(const InCall &) = delete;
  InCall &operator=(const InCall &) = delete;

private:
  Rank &rank_;
  CallSite outer_;
};

/// Simulated seconds from now until \p time of \p clock, 0 when it is past.
double secondsUntil(Rank &rank, clockid_t clock, const timespec &time);

/// Sleeps as sleepOn does; a thread that is cancelled meanwhile wakes too.
bool sleepCancellably(Rank &rank, const void *object, double seconds, const char *function);
/// A moment of simulated time passes, so that others get their turn.
void letOthersRun(Rank &rank, const char *function, const void *caller);
/// Ends the calling thread if it was cancelled and may be. Outside the runtime.
void endIfCancelled(Rank &rank);

// Mutexes.cpp: in a call, on the threads of \p rank.
int lockMutex(Rank &rank, pthread_mutex_t *mutex, double seconds, const char *function);
int tryMutex(Rank &rank, pthread_mutex_t *mutex);
int unlockMutex(Rank &rank, pthread_mutex_t *mutex);

// Conditions.cpp
int waitCondition(Rank &rank, pthread_cond_t *condition, pthread_mutex_t *mutex, double seconds,
                  const char *function, const void *caller);

/// Runs \p function once; whoever comes meanwhile waits.
int runOnce(Rank &rank, pthread_once_t *once, void (*function)(), const void *caller);

// Threads.cpp
/// Whether a thread that the code at \p caller starts is one of the rank's.
bool isProgram(const void *caller);
int joinThread(Rank &rank, pthread_t thread, void **result, double seconds, const void *caller);
[[noreturn]] void endThreadAfterCleanup(Rank &rank, void *result);
/// The thread that \p handle names, if it is one of \p rank's.
Thread *threadOf(Rank &rank, pthread_t handle);

} // namespace gnomon::process
