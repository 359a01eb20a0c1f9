// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Threads that a rank's program starts (pthread_create, std::thread, thrd_create). Each is another
/// fiber of the rank: threads of a rank take turns on the one thread that plays the simulation,
/// deterministically, and side by side in simulated time, where each computes on a core of the
/// rank's host. So all of them see the rank's globals, and each may call MPI
/// (MPI_THREAD_MULTIPLE). One runs until it waits: in MPI, for a mutex, for another thread, asleep.
/// A loop that only reads memory until another thread has changed it polls (mpi/request/Polling.h).
///
/// What is a thread's own and lies in the Rank (the call it is in, what it waits for, errno, C++'s
/// exceptions in flight, thread_local variables) is the running thread's; that of the others is
/// kept aside (select).
///
/// Threads of libraries that were not built with the flag (OpenMP's) stay threads of this process.
#pragma once

#include "process/ranks/BurstClock.h"
#include "process/ranks/LibcState.h"
#include "process/ranks/Rank.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::process {

/// A fiber that waits for something of its rank's other threads.
struct Sleeper {
  kernel::Fiber *fiber = nullptr;
  bool woken = false;
};

struct Thread {
  uint32_t number = 0; ///< 0: the one that runs main
  kernel::Fiber *fiber = nullptr;
  void *(*start)(void *) = nullptr;
  void *argument = nullptr;

  bool finished = false, detached = false;
  bool joined = false;
  void *result = nullptr;
  bool joining = false;                 ///< somebody waits for its end
  std::map<unsigned, void *> specifics; ///< by pthread_key_t; the main thread's are the process's
  // Cancellation: asked for, allowed, and the handlers of pthread_cleanup_push.
  bool cancelled = false, cancellable = true;
  std::vector<void *> cleanups;   ///< __pthread_unwind_buf_t
  const void *sleepsOn = nullptr; ///< of a sleep that a cancellation ends

  /// What the Rank holds of it while it runs.
  struct Own {
    CallSite call;
    std::string (*describeWait)(const Rank &rank, const void *what) = nullptr;
    const void *waitsFor = nullptr;
    void (*listAwaited)(const Rank &rank, const void *what,
                        std::vector<uint32_t> &awaited) = nullptr;
    ThreadClock clock;
    IdlePolls idlePolls;
    int errnoValue = 0;
    void *caughtExceptions = nullptr;
    unsigned uncaughtExceptions = 0;
    std::vector<ExitHandler> exitHandlers; ///< of its thread_local variables
    std::vector<char> locals;              ///< their contents, of all modules one after another
  };
  Own own;
};

/// The threads of a rank, from the first that it starts on.
struct Threads {
  explicit Threads(Rank &rank);

  std::deque<Thread> all; ///< by number; ended ones too
  std::vector<Thread *> living;
  Thread *running;

  Thread *find(const kernel::Fiber &fiber);
};

/// The thread that runs; null when the rank has never had a second one.
Thread *currentThread(Rank &rank);
/// Puts the state of the thread of \p fiber in place. Called at a switch to another fiber of the
/// same rank, or back to the rank; fibers that are no threads (nonblocking collectives) leave it.
void selectThread(Rank &rank, kernel::Fiber &fiber);

/// The thread that runs, in a rank that is from now on one with threads.
Thread &ensureThreads(Rank &rank);
/// A new thread of \p rank, which starts at the present date.
Thread &startThread(Rank &rank, void *(*start)(void *), void *argument, bool detached);
/// The calling thread ends. The main thread's end waits for the others, and is the rank's.
[[noreturn]] void endThread(Rank &rank, void *result);
/// Parks the calling thread until wakeSleepers(object) or, at the latest, for \p seconds of
/// simulated time. \p function says what it does, for reports. False: nobody woke it.
bool sleepOn(Rank &rank, const void *object, double seconds, const char *function);
/// Wakes up to \p most of those that sleep on \p object, in the order in which they came.
void wakeSleepers(const void *object, size_t most);
/// Wakes \p thread, which sleeps on \p object.
void wakeThread(const void *object, const Thread &thread);

inline constexpr double ForEver = -1;

/// Destructors of the values of the keys that ranks have made (pthread_key_create).
std::map<unsigned, void (*)(void *)> &keyDestructors();

/// Set when the first rank starts a thread: the watchdog's messages say what may be wrong then.
extern std::atomic<bool> anyThreads;

/// Whether the program uses a library that makes threads of the process's own: OpenMP.
bool hasForeignThreads();

/// The number of the rank's running thread; 0 in a rank that has had no other.
uint32_t runningThread(const Rank &rank);

/// What a thread does that is not the rank's running one; for reports.
struct ThreadView {
  uint32_t number;
  CallSite call;
  std::string wait;
};
std::vector<ThreadView> otherThreads(const Rank &rank);

} // namespace gnomon::process
