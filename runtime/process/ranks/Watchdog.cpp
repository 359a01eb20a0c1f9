// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A thread that sees to it that nothing hangs: it looks twice a second at the wall clock and at
/// how often the runtime is called. It changes nothing in the simulation; to end the run it sends
/// the simulation's thread a signal, whose handler knows what that thread was doing. All signals
/// are blocked in it.
#include "process/ranks/Watchdog.h"

#include "process/image/Real.h"
#include "process/image/Symbolizer.h"
#include "process/ranks/Crash.h"
#include "process/ranks/Simulation.h"
#include "process/ranks/Threads.h"
#include "support/Error.h"
#include "support/Write.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace gnomon::process {

std::atomic<uint64_t> heartbeat{0};
std::atomic<int64_t> computingRank{-1};
std::atomic<bool> stateWanted{false};

namespace {

StateReporter reporter = nullptr;

constexpr int TickMilliseconds = 500;
constexpr double WarnSeconds = 60;
/// What the handler gets to compose its report before the watchdog ends the process itself.
constexpr double HandlerSeconds = 15;

enum class Reason : int { None, Timeout, Stall, Sleep };

struct Watch {
  pthread_t thread{};
  pthread_t simulationThread{};
  int wakeUp = -1; ///< eventfd: the run is over
  std::atomic<Reason> reason{Reason::None};
  double startedAt = 0;
  double beatAt = 0; ///< when the heartbeat last changed
  uint64_t beat = 0; ///< its value then
  uint64_t waits = 0;
  double warnAfter = WarnSeconds;
};
Watch *watch = nullptr;

/// Set by the simulation's thread, and for good.
struct EndingRun {
  std::atomic<double> since{0}; ///< 0: it does not end yet
  std::atomic<int> code{0};
};
EndingRun endingRun;

int stopSignal() { return SIGRTMIN + 5; }

/// What a rank may be stuck at that has threads: they take turns (Threads.h).
constexpr const char *ThreadHint =
    "; its threads take turns: a loop that waits for another thread must call something that lets "
    "it run, such as sched_yield";

std::string secondsText(double seconds) {
  return std::to_string(static_cast<long>(seconds)) + " s";
}

void onStop(int, siginfo_t *, void *context) {
  if (endingRun.since.load() > 0)
    return;
  Reason reason = watch ? watch->reason.load() : Reason::None;
  if (reason == Reason::Timeout)
    stopInHandler("the time limit of " + secondsText(settings().timeoutSeconds) +
                      " of wall time (--timeout) is over",
                  static_cast<int>(ExitCode::NoProgress), context);
  if (reason == Reason::Stall)
    stopInHandler("has not called MPI for " + secondsText(settings().stallSeconds) +
                      " (--stall-timeout)" +
                      (anyThreads.load(std::memory_order_relaxed) ? ThreadHint : ""),
                  static_cast<int>(ExitCode::NoProgress), context);

  if (reason == Reason::Sleep)
    stopInHandler("ranks only sleep: none has called MPI for " +
                      secondsText(settings().stallSeconds) + " of real time (--stall-timeout)",
                  static_cast<int>(ExitCode::NoProgress), context);
}

void askToStop(Watch &self, Reason reason) {
  self.reason.store(reason);
  GNOMON_REAL(pthread_kill)(self.simulationThread, stopSignal());
  pollfd nothing{self.wakeUp, POLLIN, 0};
  if (GNOMON_REAL(poll)(&nothing, 1, static_cast<int>(HandlerSeconds * 1000)) > 0)
    return; // the run had come to its end meanwhile
  writeFully(STDERR_FILENO, reason == Reason::Timeout
                                ? "gnomon: the time limit (--timeout) is over\n"
                                : "gnomon: a rank has not called MPI for --stall-timeout\n");
  leaveProcess(static_cast<int>(ExitCode::NoProgress));
}

/// Whether something has been done since `beatAt`. Ranks that sleep let time pass, and do nothing
/// else; the runtime may be at work for long with no rank running.
bool hasBeaten(Watch &self, uint64_t beat, int64_t rank) {
  const uint64_t waits = beat / OneWait;
  const bool slept = waits != std::exchange(self.waits, waits);
  if (!slept)
    return rank < 0 || (beat - self.beat) % OneWait != 0;
  // A sleep that begins at this moment stands among the calls.
  return (beat - self.beat + 1) % OneWait > 2;
}

void lookAtHeartbeat(Watch &self, double now) {
  uint64_t beat = heartbeat.load(std::memory_order_relaxed);
  int64_t rank = computingRank.load(std::memory_order_relaxed);
  const bool sleeping = self.waits != beat / OneWait;
  if (hasBeaten(self, beat, rank)) {
    self.beat = beat;
    self.beatAt = now;
    self.warnAfter = WarnSeconds;
    return;
  }
  double silent = now - self.beatAt;
  double limit = settings().stallSeconds;
  if (limit > 0 && silent >= limit)
    askToStop(self, sleeping ? Reason::Sleep : Reason::Stall);
  if (silent >= self.warnAfter && rank >= 0) {
    self.warnAfter *= 4;
    writeFully(STDERR_FILENO, "gnomon: warning: rank " + std::to_string(rank) +
                                  " has not called MPI for " + secondsText(silent) +
                                  (anyThreads.load(std::memory_order_relaxed) ? ThreadHint : "") +
                                  "\n");
  }
}

/// Of a run that tells why it ends.
void lookAtEnding(const Watch &self, double now, double since) {
  const double limit = settings().timeoutSeconds;
  if (limit <= 0 || now < std::max(since, self.startedAt + limit) + HandlerSeconds)
    return;
  writeFully(STDERR_FILENO, "gnomon: the time limit (--timeout) is over\n");
  leaveProcess(endingRun.code.load());
}

void lookAtLimits(Watch &self, double now) {
  // A helper that runs is ended by then, and what it was asked for is told first.
  if (settings().timeoutSeconds > 0 && now - self.startedAt >= settings().timeoutSeconds &&
      !helperRuns())
    askToStop(self, Reason::Timeout);
  lookAtHeartbeat(self, now);
}

void *watchLoop(void *argument) {
  auto &self = *static_cast<Watch *>(argument);
  pollfd over{self.wakeUp, POLLIN, 0};
  for (;;) {
    int events = GNOMON_REAL(poll)(&over, 1, TickMilliseconds);
    if (events > 0)
      return nullptr;
    double now = wallSeconds();
    if (OutputSink *sink = outputSink())
      sink->flushDue();
    if (const double since = endingRun.since.load(); since > 0)
      lookAtEnding(self, now, since);
    else
      lookAtLimits(self, now);
  }
}

} // namespace

void setStateReporter(StateReporter function) { reporter = function; }

void printState() {
  stateWanted.store(false);
  if (reporter && simulation())
    printError(reporter(simulation()->world));
}

void beginEnding(int code) {
  endingRun.code.store(code);
  endingRun.since.store(wallSeconds());
}

void startWatchdog() {
  if (!settings().launched || watch)
    return;
  watch = new Watch;
  watch->simulationThread = GNOMON_REAL(pthread_self)();
  watch->startedAt = watch->beatAt = wallSeconds();
  if (settings().timeoutSeconds > 0)
    limitHelpers(watch->startedAt + settings().timeoutSeconds);
  watch->wakeUp = eventfd(0, EFD_CLOEXEC);
  struct sigaction action{};
  action.sa_sigaction = onStop;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  GNOMON_REAL(sigaction)(stopSignal(), &action, nullptr);
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int failed = GNOMON_REAL(pthread_create)(&watch->thread, nullptr, watchLoop, watch);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (failed) {
    printError("gnomon: warning: no watchdog: --timeout has no effect\n");
    delete watch;
    watch = nullptr;
  }
}

void stopWatchdog() {
  if (!watch)
    return;
  eventfd_write(watch->wakeUp, 1);
  GNOMON_REAL(pthread_join)(watch->thread, nullptr);
  GNOMON_REAL(close)(watch->wakeUp);
  delete watch;
  watch = nullptr;
}

} // namespace gnomon::process
